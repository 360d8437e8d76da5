# SPDX-License-Identifier: Apache-2.0
"""Enums of Heft. Written by tools/python_bindings.py from the public headers."""
from enum import IntEnum


class _Named(IntEnum):
    """A number that prints its name: JointType.HINGE."""

    def __str__(self) -> str:
        return "%s.%s" % (type(self).__name__, self.name)

    def __format__(self, spec: str) -> str:
        return int.__format__(self, spec) if spec else str(self)


class ChangeKind(_Named):
    """See the C header."""

    GRAVITY = 0  # gravity: none; factor
    FRICTION = 1  # friction: material
    RESTITUTION = 2  # restitution: material
    PAIR_FRICTION = 3  # pair friction: pair
    PAIR_RESTITUTION = 4  # pair restitution: pair
    MASS = 5  # mass: body; factor of mass and inertia
    GAIN = 6  # gain: actuator; factor
    BOX = 7  # box: none
    BALL = 8  # ball: none
    FILE = 9  # file: none
    REMOVE = 10  # remove: body, with all that hangs on it


class Status(_Named):
    """See the C header."""

    OK = 0  # all is well
    ERR_MEMORY = 1  # memory could not be had from the allocator
    ERR_ARGUMENT = 2  # an argument is outside of its documented range
    ERR_FILE = 3  # a file could not be opened, read or written
    ERR_SYNTAX = 4  # the input does not follow the grammar of its format
    ERR_VALUE = 5  # a value in the input is not allowed where it stands
    ERR_NAME = 6  # a name is missing, unknown or used twice
    ERR_LIMIT = 7  # the input is larger than the configured limit
    ERR_UNSUPPORTED = 8  # the input uses something that Heft does not have
    ERR_VERSION = 9  # the data was written by another version of Heft
    ERR_CHECKSUM = 10  # the data was damaged after it was written
    ERR_SINGULAR = 11  # a matrix is singular or not positive definite
    ERR_ACCURACY = 12  # the result does not meet the tolerance
    ERR_STOPPED = 13  # the work was stopped before its end


class ValueType(_Named):
    """See the C header."""

    CHAR = 0  # char
    BOOL = 1  # bool
    INT32 = 2  # int
    UINT64 = 3  # uint64_t
    DOUBLE = 4  # double


class LogLevel(_Named):
    """How grave a message is."""

    DEBUG = 0  # for developers of Heft
    INFO = 1  # progress
    WARNING = 2  # something is probably wrong


class ConstraintType(_Named):
    """See the C header."""

    POINT = 0  # normal, two tangents; Coulomb friction mu
    FRICTIONLESS = 1  # one-sided: r >= 0, u >= 0; also joint limits
    BILATERAL = 2  # two-sided: u = 0; loop closures
    BOX = 3  # lower <= r <= upper; dry joint friction, actuator limits
    PLANAR = 4  # normal, one tangent; Coulomb friction in the plane
    TORSIONAL = 5  # normal, two tangents, spin about the normal
    ROLLING = 6  # normal, two tangents, two rolling directions
    FULL = 7  # normal, two tangents, two rolling directions, spin


class ContactMethod(_Named):
    """Phases that a solver may use. The default chooses among all of them."""

    AUTO = 0  # sweeps, acceleration, Newton finish
    SWEEP = 1  # block-proximal Gauss-Seidel only
    ACCELERATED = 2  # Gauss-Seidel with Anderson acceleration
    NEWTON = 3  # a few sweeps, then proximal Newton


class ContactSolveStatus(_Named):
    """How a solve ended."""

    SOLVED = 0  # the tolerance is met
    EFFORT_SPENT = 1  # effort_max is spent; the result is the best so far
    DEADLINE = 2  # the deadline passed, perhaps while polishing; the result is the best so far
    STALLED = 3  # no phase reduces the residual; the result is the best so far


class DelassusMethod(_Named):
    """See the C header."""

    DIRECT = 0  # direct: J M⁻¹ Jᵀ with dense matrices
    UNIT_FORCES = 1  # unit-forces: three runs of ABA per point [Chardonnet 2006]
    CHANG_KHATIB = 2  # chang-khatib: Ω down the tree [Chang 2000]
    BODY = 3  # body: six unit forces per body on its branch [Chardonnet 2012]
    LTL = 4  # ltl: sparse half-solves with the LTL factor


class LocalKind(_Named):
    """See the C header."""

    NONE = 0  # nothing
    SPRING = 1  # held frame
    SURFACE = 2  # surface


class ProbeMode(_Named):
    """See the C header."""

    TOUCH = 0  # touch
    ATTACH = 1  # attach


class Gesture(_Named):
    """See the C header."""

    NONE = 0  # none
    TAP = 1  # tap
    PUSH = 2  # push
    SHAKE = 3  # shake
    RELEASE = 4  # release


class Base(_Named):
    """How the root link of a URDF is connected to the world."""

    FIXED = 0  # welded
    FLOATING = 1  # by a free joint


class UrdfServos(_Named):
    """Position servos that the loader gives to the joints of a URDF."""

    NONE = 0  # joints have no servos
    BY_EFFORT = 1  # gains from <limit effort>: the full effort acts at an error of 0.02 rad or 5 mm, with a time constant of 50 ms; without a limit the weight of all links behind the joint counts as its effort
    BY_GAINS = 2  # HeftLoadDef.urdf_gains


class SensorObject(_Named):
    """Kinds of objects that a sensor measures."""

    NOTHING = 0  # the world itself, as a clock
    JOINT = 1  # a joint
    ACTUATOR = 2  # an actuator
    TENDON = 3  # a tendon
    SITE = 4  # a site
    BODY = 5  # a body
    FRAME = 6  # any frame: see HEFT_FRAME_LIST


class JointType(_Named):
    """See the C header."""

    FIXED = 0  # fixed
    HINGE = 1  # hinge
    SLIDE = 2  # slide
    BALL = 3  # ball
    FREE = 4  # free
    PLANAR = 5  # planar
    UNIVERSAL = 6  # universal
    CYLINDRICAL = 7  # cylindrical


class ShapeType(_Named):
    """See the C header."""

    PLANE = 0  # plane
    SPHERE = 1  # sphere
    CAPSULE = 2  # capsule
    CYLINDER = 3  # cylinder
    ELLIPSOID = 4  # ellipsoid
    BOX = 5  # box
    MESH = 6  # mesh
    HEIGHT_FIELD = 7  # heightfield


class FieldType(_Named):
    """See the C header."""

    NONE = 0  # none
    TORUS = 1  # torus
    CUP = 2  # cup
    HOOK = 3  # hook
    GEAR = 4  # gear
    BOLT = 5  # bolt
    NUT = 6  # nut
    GRID = 7  # grid


class Transmission(_Named):
    """See the C header."""

    JOINT = 0  # joint
    TENDON = 1  # tendon
    SITE = 2  # site
    JOINT_IN_PARENT = 3  # jointinparent
    SLIDER_CRANK = 4  # slidercrank


class Activation(_Named):
    """See the C header."""

    NONE = 0  # none
    INTEGRATOR = 1  # integrator
    FILTER = 2  # filter
    FILTER_EXACT = 3  # filterexact


class SensorType(_Named):
    """See the C header."""

    JOINT_POSITION = 0  # jointpos
    JOINT_VELOCITY = 1  # jointvel
    ACTUATOR_FORCE = 2  # actuatorfrc
    FORCE = 3  # force
    TORQUE = 4  # torque
    TOUCH = 5  # touch
    ACCELEROMETER = 6  # accelerometer
    GYRO = 7  # gyro
    VELOCIMETER = 8  # velocimeter
    FRAME_POSITION = 9  # framepos
    FRAME_QUATERNION = 10  # framequat
    FRAME_VELOCITY = 11  # framelinvel
    FRAME_ANGULAR_VELOCITY = 12  # frameangvel
    FRAME_X_AXIS = 13  # framexaxis
    FRAME_Y_AXIS = 14  # frameyaxis
    FRAME_Z_AXIS = 15  # framezaxis
    FRAME_ACCELERATION = 16  # framelinacc
    FRAME_ANGULAR_ACCELERATION = 17  # frameangacc
    MAGNETOMETER = 18  # magnetometer
    RANGE_FINDER = 19  # rangefinder
    TENDON_POSITION = 20  # tendonpos
    TENDON_VELOCITY = 21  # tendonvel
    ACTUATOR_POSITION = 22  # actuatorpos
    ACTUATOR_VELOCITY = 23  # actuatorvel
    JOINT_ACTUATOR_FORCE = 24  # jointactuatorfrc
    BALL_QUATERNION = 25  # ballquat
    BALL_ANGULAR_VELOCITY = 26  # ballangvel
    SUBTREE_COM = 27  # subtreecom
    SUBTREE_VELOCITY = 28  # subtreelinvel
    SUBTREE_ANGULAR_MOMENTUM = 29  # subtreeangmom
    CLOCK = 30  # clock


class Frame(_Named):
    """See the C header."""

    SITE = 0  # site
    BODY = 1  # xbody
    INERTIAL = 2  # body
    SHAPE = 3  # geom
    CAMERA = 4  # camera


class EqualityType(_Named):
    """See the C header."""

    CONNECT = 0  # connect
    WELD = 1  # weld
    JOINT = 2  # joint
    TENDON = 3  # tendon


class WrapType(_Named):
    """See the C header."""

    JOINT = 0  # joint
    SITE = 1  # site
    PULLEY = 2  # pulley
    SHAPE = 3  # geom


class Follow(_Named):
    """See the C header."""

    FIXED = 0  # fixed
    TRACK = 1  # track
    TRACK_COM = 2  # trackcom
    TARGET_BODY = 3  # targetbody
    TARGET_BODY_COM = 4  # targetbodycom


class TextureType(_Named):
    """See the C header."""

    N2D = 0  # 2d
    CUBE = 1  # cube
    SKYBOX = 2  # skybox


class TextureSource(_Named):
    """Where the colours of a texture come from: an image or a pattern."""

    FROM_FILE = 0  # none
    GRADIENT = 1  # gradient
    CHECKER = 2  # checker
    FLAT = 3  # flat


class TextureMark(_Named):
    """Marks on the pattern of a texture."""

    NONE = 0  # none
    EDGE = 1  # edge
    CROSS = 2  # cross
    RANDOM = 3  # random


class Named(_Named):
    """See the C header."""

    BODY = 0  # bodies
    JOINT = 1  # joints
    SITE = 2  # sites
    MATERIAL = 3  # materials
    SHAPE = 4  # shapes
    MESH = 5  # meshes
    HEIGHT_FIELD = 6  # height fields
    TEXTURE = 7  # textures
    APPEARANCE = 8  # appearances
    CAMERA = 9  # cameras
    LIGHT = 10  # lights
    PAIR = 11  # contact pairs
    EXCLUDE = 12  # contact excludes
    EQUALITY = 13  # equalities
    TENDON = 14  # tendons
    ACTUATOR = 15  # actuators
    SENSOR = 16  # sensors
    KEY = 17  # keyframes
    DEFORMABLE = 18  # deformable bodies


class Integrator(_Named):
    """See the C header."""

    MOREAU = 0  # moreau: Moreau-Jean theta scheme, dampers and springs implicit
    RK4 = 1  # rk4: Runge-Kutta-Munthe-Kaas of order 4, for smooth motion


class ContactModel(_Named):
    """See the C header."""

    FROM_FILE = 0  # file: as the model file states, or exact
    EXACT = 1  # exact: Coulomb's law and no penetration, to a tolerance
    PENALTY = 2  # penalty: springs and dampers at each contact point
    LCP = 3  # lcp: faceted cone, linear complementarity by Lemke
    MICRO_MACRO = 4  # micro_macro: elastic layer over rigid bodies, weighted forces
    FOOT_EXACT = 5  # foot_exact: constraints of feet, found by search
    FOOT_ONESTEP = 6  # foot_onestep: constraints of feet, one update per step
    LUGRE = 7  # lugre: friction by bristles that bend, with a state of its own
    VOLUME = 8  # volume: springs and dampers by the volume of overlap


class PenaltyLaw(_Named):
    """Normal force of the contact model `penalty`, from the depth d."""

    LINEAR = 0  # k d + c ḋ
    HUNT_CROSSLEY = 1  # k d^p (1 + c ḋ): continuous at the start of contact


class StepStatus(_Named):
    """See the C header."""

    SOLVED = 0  # solved
    NOT_UNIQUE = 1  # not unique: the laws allow other motions, too
    INEXACT = 2  # inexact: raise effort_max or the tolerance, or shorten the time step
    ENERGY = 3  # energy not balanced: shorten the time step
    LIMIT_PASSED = 4  # joint beyond its range: shorten the time step or start within it
    TENDON_PASSED = 5  # tendon beyond its range: shorten the time step or start within it
    LOOP_OPEN = 6  # loop open: shorten the time step or start with closed loops
    OVERLAP = 7  # shapes overlap: shorten the time step or start without overlap
    INVERTED = 8  # elements inverted: shorten the time step or use a finer mesh
    NOT_FOLLOWED = 9  # positions do not follow velocities: shorten the time step
    SHORTENED = 10  # shortened: bodies moved for less than the step; shorten the time step
    CONTACTS_DROPPED = 11  # contact points dropped: raise contact_capacity
    RESTRAINED = 12  # restrained: too fast a rotation, shorten the time step
    NOT_FINITE = 13  # not finite: rolled back to the state before the step
    SINGULAR = 14  # mass matrix not positive: rolled back to the state before the step
    OUT_OF_RANGE = 15  # out of range: rolled back to the state before the step
    CONTACT_REFUSED = 16  # contact, which rk4 leaves out: rolled back, use moreau or disable contact


class StepQuantity(_Named):
    """See the C header."""

    CONTACT_RESIDUAL = 0  # residual of contact points, relative to their velocities [1]; bound -1: the tolerance
    LIMIT_RESIDUAL = 1  # the same of joint limits [1]
    FRICTION_RESIDUAL = 2  # the same of dry friction of joints [1]
    LOOP_RESIDUAL = 3  # the same of equalities [1]
    TENDON_RESIDUAL = 4  # the same of limits, dry friction and equalities of tendons [1]
    FREE_FORCES = 5  # islands whose solution is not the one of equal compliance [1]; allowed
    FREE_MOTION = 6  # islands that have other motions by the same laws [1]
    ENERGY_DEFECT = 7  # energy that no force explains, relative to the energy that moves in the step [1]
    LIMIT_ERROR = 8  # distance of a joint beyond its range after the step, relative to the range [1]
    TENDON_ERROR = 9  # the same of a tendon at the start of the step [1]
    LOOP_ERROR = 10  # m, rad: error of an equality after the step [m, rad]
    OVERLAP = 11  # depth of a rigid contact point at the start over half the thinner shape's thickness [1]
    INVERTED = 12  # elements of deformable bodies that are turned inside out [1]
    MOTION_DEFECT = 13  # difference of a displacement from the velocities of HeftStepMotion, relative to these [1]
    TIME_LOST = 14  # s: part of the step in which a body did not move [s]


class ContactState(_Named):
    """See the C header."""

    OPEN = 0  # open
    STICKING = 1  # sticks
    SLIPPING = 2  # slips


class ConstraintKind(_Named):
    """See the C header."""

    LIMIT = 0  # joint limit
    DRY_FRICTION = 1  # dry friction
    EQUALITY = 2  # equality
    TENDON_LIMIT = 3  # tendon limit
    TENDON_DRY_FRICTION = 4  # tendon dry friction


class ContactShape(_Named):
    """See the C header."""

    NONE = 0  # none
    VERTEX = 1  # vertex
    EDGE = 2  # edge
    SOLE = 3  # sole


__all__ = [
    "ChangeKind",
    "Status",
    "ValueType",
    "LogLevel",
    "ConstraintType",
    "ContactMethod",
    "ContactSolveStatus",
    "DelassusMethod",
    "LocalKind",
    "ProbeMode",
    "Gesture",
    "Base",
    "UrdfServos",
    "SensorObject",
    "JointType",
    "ShapeType",
    "FieldType",
    "Transmission",
    "Activation",
    "SensorType",
    "Frame",
    "EqualityType",
    "WrapType",
    "Follow",
    "TextureType",
    "TextureSource",
    "TextureMark",
    "Named",
    "Integrator",
    "ContactModel",
    "PenaltyLaw",
    "StepStatus",
    "StepQuantity",
    "ContactState",
    "ConstraintKind",
    "ContactShape",
]
