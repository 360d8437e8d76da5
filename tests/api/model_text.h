// SPDX-License-Identifier: Apache-2.0
// A small model with something of every kind that functions take by name or index.
#ifndef HEFT_TESTS_API_MODEL_TEXT_H
#define HEFT_TESTS_API_MODEL_TEXT_H

static const char model_text[] =
    "<mujoco><worldbody>"
    "<geom name='floor' type='plane' size='1 1 1'/>"
    "<camera name='eye'/>"
    "<body name='cart' pos='0 0 1'><joint name='slide' type='slide' axis='1 0 0' range='-1 1'/>"
    "<geom name='block' type='box' size='.1 .1 .1'/><site name='hook'/>"
    "<body name='arm' pos='0 0 .3'><joint name='hinge' type='hinge' axis='0 1 0'/>"
    "<geom name='rod' type='capsule' size='.02 .1'/><site name='tip' pos='0 0 .1'/></body></body>"
    "<body name='ball' pos='1 0 .09'><freejoint/><geom name='round' type='sphere' "
    "size='.1'/></body>"
    "<body name='hand' mocap='true' pos='0 2 2'><geom size='.1'/></body>"
    "</worldbody>"
    "<custom><numeric name='heft_conveyor_floor' data='0 0 0 0 0 0'/></custom>"
    "<contact><pair name='both' geom1='block' geom2='round'/></contact>"
    "<equality><connect body1='arm' body2='cart' anchor='0 0 0'/></equality>"
    "<tendon><spatial name='rope'><site site='hook'/><site site='tip'/></spatial></tendon>"
    "<actuator><motor name='motor' joint='hinge'/></actuator>"
    "<sensor><jointpos name='angle' joint='hinge'/></sensor>"
    "<keyframe><key name='home' qpos='0 0 1 0 .09 1 0 0 0'/></keyframe></mujoco>";

#endif
