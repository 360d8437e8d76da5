# SPDX-License-Identifier: Apache-2.0
"""Types of the extension module. Written by tools/python_bindings.py from the public headers."""
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from numpy.typing import ArrayLike, NDArray

from ._enums import (
    Activation as Activation,
    Base as Base,
    ChangeKind as ChangeKind,
    ConstraintKind as ConstraintKind,
    ConstraintType as ConstraintType,
    ContactMethod as ContactMethod,
    ContactModel as ContactModel,
    ContactShape as ContactShape,
    ContactSolveStatus as ContactSolveStatus,
    ContactState as ContactState,
    DelassusMethod as DelassusMethod,
    EqualityType as EqualityType,
    FieldType as FieldType,
    Follow as Follow,
    Frame as Frame,
    Gesture as Gesture,
    Integrator as Integrator,
    JointType as JointType,
    LocalKind as LocalKind,
    LogLevel as LogLevel,
    Named as Named,
    PenaltyLaw as PenaltyLaw,
    ProbeMode as ProbeMode,
    SensorObject as SensorObject,
    SensorType as SensorType,
    ShapeType as ShapeType,
    Status as Status,
    StepQuantity as StepQuantity,
    StepStatus as StepStatus,
    TextureMark as TextureMark,
    TextureSource as TextureSource,
    TextureType as TextureType,
    Transmission as Transmission,
    UrdfServos as UrdfServos,
    ValueType as ValueType,
    WrapType as WrapType,
)

Buffer = bytes | bytearray | memoryview | NDArray[Any]
_M = TypeVar("_M", bound="Model")
_W = TypeVar("_W", bound="World")

def version() -> str: ...
def hash_bytes(data: Buffer, seed: int = 0) -> int: ...
def dtype(name: str) -> Any: ...
def load(kind: type[_M], path: str | None, data: bytes | None, name: str | None,
         options: dict[str, Any]) -> tuple[_M, list[tuple[str, int]]]: ...
def unpack(kind: type[_M], data: Buffer) -> _M: ...

class Model:
    def pack(self) -> bytes: ...
    def _capsule(self) -> object: ...
    def hash(self) -> int: ...
    def find(self, kind: Named | str, name: str) -> int: ...
    def name(self, kind: Named | str, index: int) -> str: ...
    def names(self, kind: Named | str) -> list[str]: ...
    def files(self, format: str, mesh_folder: str | None = None) -> dict[str, bytes]: ...
    def _write(self, path: str) -> list[tuple[str, int]]: ...
    @property
    def mass(self) -> float: ...
    @property
    def gravity(self) -> NDArray[Any]: ...
    @property
    def time_step(self) -> float: ...
    @property
    def nbody(self) -> int:
        """bodies, including the world"""
    @property
    def njoint(self) -> int:
        """joints"""
    @property
    def nq(self) -> int:
        """position coordinates; length of q"""
    @property
    def nv(self) -> int:
        """degrees of freedom; length of v"""
    @property
    def nsite(self) -> int:
        """sites: named frames on bodies"""
    @property
    def nmaterial(self) -> int:
        """contact materials"""
    @property
    def nshape(self) -> int:
        """shapes"""
    @property
    def nmesh(self) -> int:
        """meshes"""
    @property
    def nvertex(self) -> int:
        """vertices of all meshes"""
    @property
    def nface(self) -> int:
        """triangles of all meshes"""
    @property
    def nhull(self) -> int:
        """triangles of the convex hulls of all meshes"""
    @property
    def ncorner(self) -> int:
        """texture corners of triangles"""
    @property
    def nsample(self) -> int:
        """samples of all distance shapes"""
    @property
    def nheight_field(self) -> int:
        """height fields"""
    @property
    def nheight(self) -> int:
        """heights of all height fields"""
    @property
    def ntexture(self) -> int:
        """textures"""
    @property
    def nappearance(self) -> int:
        """appearances of surfaces"""
    @property
    def ncamera(self) -> int:
        """cameras"""
    @property
    def nlight(self) -> int:
        """lights"""
    @property
    def npair(self) -> int:
        """contact pairs: shapes that collide whatever their categories"""
    @property
    def nexclude(self) -> int:
        """pairs of bodies that do not collide"""
    @property
    def nequality(self) -> int:
        """equality constraints"""
    @property
    def ntendon(self) -> int:
        """tendons"""
    @property
    def nwrap(self) -> int:
        """path elements of all tendons"""
    @property
    def nactuator(self) -> int:
        """actuators; length of the control vector"""
    @property
    def nact(self) -> int:
        """activations: states of actuators"""
    @property
    def nsensor(self) -> int:
        """sensors"""
    @property
    def nsensordata(self) -> int:
        """values of all sensors"""
    @property
    def nkey(self) -> int:
        """keyframes"""
    @property
    def nmoved(self) -> int:
        """moved bodies: bodies whose motion the program prescribes"""
    @property
    def nconveyor(self) -> int:
        """conveyors: shapes whose surface moves"""
    @property
    def ndeformable(self) -> int:
        """deformable bodies"""
    @property
    def nnode(self) -> int:
        """nodes: vertices of all deformable bodies"""
    @property
    def ntetrahedron(self) -> int:
        """tetrahedra of all deformable bodies"""
    @property
    def nskin(self) -> int:
        """surface triangles of all deformable bodies"""
    @property
    def nname(self) -> int:
        """bytes of the name pool"""
    @property
    def body_parent(self) -> NDArray[Any]:
        """parent body, smaller than the own index; -1 for the world"""
    @property
    def body_pos(self) -> NDArray[Any]:
        """origin in the parent's frame, with all joints at q_default [m]"""
    @property
    def body_quat(self) -> NDArray[Any]:
        """orientation in the parent's frame, with all joints at q_default"""
    @property
    def body_mass(self) -> NDArray[Any]:
        """mass [kg]"""
    @property
    def body_com(self) -> NDArray[Any]:
        """centre of mass in the body's frame [m]"""
    @property
    def body_inertia(self) -> NDArray[Any]:
        """xx yy zz xy xz yz about the centre of mass, along the body's axes [kg m²]"""
    @property
    def body_gravity(self) -> NDArray[Any]:
        """fraction of gravity that acts on the body, at most 1; 0: none; negative: upwards"""
    @property
    def body_joint(self) -> NDArray[Any]:
        """first joint of the body"""
    @property
    def body_joint_count(self) -> NDArray[Any]:
        """number of joints between the body and its parent"""
    @property
    def body_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def body_moved(self) -> NDArray[Any]:
        """number among the moved bodies, or -1; see heft_world_prescribed_motion()"""
    @property
    def joint_type(self) -> NDArray[Any]:
        """HeftJointType"""
    @property
    def joint_body(self) -> NDArray[Any]:
        """body that the joint moves"""
    @property
    def joint_q(self) -> NDArray[Any]:
        """first coordinate of the joint in q"""
    @property
    def joint_dof(self) -> NDArray[Any]:
        """first degree of freedom of the joint in v"""
    @property
    def joint_pos(self) -> NDArray[Any]:
        """anchor in the body's frame [m]"""
    @property
    def joint_axis(self) -> NDArray[Any]:
        """unit axis in the body's frame"""
    @property
    def joint_axis2(self) -> NDArray[Any]:
        """second unit axis (planar, universal), perpendicular to the first"""
    @property
    def joint_force_limited(self) -> NDArray[Any]:
        """1 if joint_force_range applies"""
    @property
    def joint_force_range(self) -> NDArray[Any]:
        """min and max of the sum of all actuator forces on the joint [N, N m]"""
    @property
    def joint_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def q_default(self) -> NDArray[Any]:
        """coordinates of the pose in which the model is described [m, rad]"""
    @property
    def q_spring(self) -> NDArray[Any]:
        """coordinates at which the joint springs exert no force [m, rad]"""
    @property
    def dof_joint(self) -> NDArray[Any]:
        """joint of the degree of freedom"""
    @property
    def dof_damping(self) -> NDArray[Any]:
        """viscous damping [N s/m, N m s/rad]"""
    @property
    def dof_stiffness(self) -> NDArray[Any]:
        """stiffness of the spring towards q_spring [N/m, N m/rad]"""
    @property
    def dof_friction(self) -> NDArray[Any]:
        """dry friction [N, N m]"""
    @property
    def dof_armature(self) -> NDArray[Any]:
        """inertia of rotor and gears, reduced to the joint [kg, kg m²]"""
    @property
    def dof_limited(self) -> NDArray[Any]:
        """1 if dof_range applies"""
    @property
    def dof_range(self) -> NDArray[Any]:
        """min and max of the coordinate; ball joint: 0 and the max angle [m, rad]"""
    @property
    def site_body(self) -> NDArray[Any]:
        """body that carries the site"""
    @property
    def site_pos(self) -> NDArray[Any]:
        """origin in the body's frame [m]"""
    @property
    def site_quat(self) -> NDArray[Any]:
        """orientation in the body's frame"""
    @property
    def site_type(self) -> NDArray[Any]:
        """HeftShapeType of the zone of the site, for contact sensors and drawing"""
    @property
    def site_size(self) -> NDArray[Any]:
        """size of the zone, as shape_size [m]"""
    @property
    def site_group(self) -> NDArray[Any]:
        """group for the viewer, 0 to 5"""
    @property
    def site_color(self) -> NDArray[Any]:
        """red, green, blue, opacity, 0 to 1"""
    @property
    def site_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def material_friction(self) -> NDArray[Any]:
        """static Coulomb coefficient"""
    @property
    def material_kinetic(self) -> NDArray[Any]:
        """kinetic Coulomb coefficient, at most the static one"""
    @property
    def material_torsion(self) -> NDArray[Any]:
        """torsional friction, coefficient times radius [m]"""
    @property
    def material_rolling(self) -> NDArray[Any]:
        """rolling friction, coefficient times radius [m]"""
    @property
    def material_restitution(self) -> NDArray[Any]:
        """coefficient of restitution, 0 to 1"""
    @property
    def material_layer(self) -> NDArray[Any]:
        """elastic layer for the contact model micro_macro: stiffness and damping of a contact point,  thickness; stiffness 0: the options of the contact model apply [N/m, N s/m, m]"""
    @property
    def material_slip(self) -> NDArray[Any]:
        """friction against slip speed v: Stribeck speed s (0: none) and viscous term c; coefficient  kinetic + (static - kinetic) exp(-(v/s)^2) + c v [m/s, s/m]"""
    @property
    def material_soft(self) -> NDArray[Any]:
        """soft contact points: stiffness and damping of a contact point; stiffness 0: rigid [N/m, N s/m]"""
    @property
    def material_area(self) -> NDArray[Any]:
        """area contact: modulus E (0: none), thickness H, dissipation d, exponent n (1 or 0.5);  pressure E (depth/H)^n (1 + d v) at the approach speed v [Pa, m, s/m, 1]"""
    @property
    def material_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def shape_type(self) -> NDArray[Any]:
        """HeftShapeType"""
    @property
    def shape_body(self) -> NDArray[Any]:
        """body that carries the shape"""
    @property
    def shape_pos(self) -> NDArray[Any]:
        """origin in the body's frame [m]"""
    @property
    def shape_quat(self) -> NDArray[Any]:
        """orientation in the body's frame"""
    @property
    def shape_size(self) -> NDArray[Any]:
        """sphere: radius; capsule, cylinder: radius, half length along z; box, ellipsoid: half sizes;  plane: half sizes for drawing, 0: infinite [m]"""
    @property
    def shape_mesh(self) -> NDArray[Any]:
        """mesh, or -1"""
    @property
    def shape_height_field(self) -> NDArray[Any]:
        """height field, or -1"""
    @property
    def shape_material(self) -> NDArray[Any]:
        """contact material"""
    @property
    def shape_category(self) -> NDArray[Any]:
        """bits: the categories of the shape"""
    @property
    def shape_collides(self) -> NDArray[Any]:
        """bits: the categories that the shape collides with; 0 with category 0: drawn only"""
    @property
    def shape_contact_dim(self) -> NDArray[Any]:
        """1 frictionless, 3 sliding friction, 4 torsional too, 6 rolling too"""
    @property
    def shape_priority(self) -> NDArray[Any]:
        """in a pair, the material of the shape with the higher priority applies"""
    @property
    def shape_margin(self) -> NDArray[Any]:
        """distance below which contact points are created [m]"""
    @property
    def shape_gap(self) -> NDArray[Any]:
        """contact points farther apart than margin - gap carry no force [m]"""
    @property
    def shape_appearance(self) -> NDArray[Any]:
        """appearance; -1: shape_color alone"""
    @property
    def shape_group(self) -> NDArray[Any]:
        """group for the viewer, 0 to 5"""
    @property
    def shape_color(self) -> NDArray[Any]:
        """red, green, blue, opacity, 0 to 1"""
    @property
    def shape_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def shape_conveyor(self) -> NDArray[Any]:
        """number among the conveyors, or -1"""
    @property
    def mesh_vertex(self) -> NDArray[Any]:
        """first vertex"""
    @property
    def mesh_vertex_count(self) -> NDArray[Any]:
        """number of vertices"""
    @property
    def mesh_face(self) -> NDArray[Any]:
        """first triangle"""
    @property
    def mesh_face_count(self) -> NDArray[Any]:
        """number of triangles"""
    @property
    def mesh_hull(self) -> NDArray[Any]:
        """first triangle of the convex hull"""
    @property
    def mesh_hull_count(self) -> NDArray[Any]:
        """number of triangles of the convex hull; 0: the mesh has no hull"""
    @property
    def mesh_corner(self) -> NDArray[Any]:
        """first texture corner, three for each triangle; -1: none"""
    @property
    def mesh_field(self) -> NDArray[Any]:
        """HeftFieldType: the distance shape that its triangles approximate, or none"""
    @property
    def mesh_field_size(self) -> NDArray[Any]:
        """numbers of the distance shape, see HEFT_FIELD_LIST [m, rad]"""
    @property
    def mesh_grid(self) -> NDArray[Any]:
        """samples of its distance along x, y and z; 0: none"""
    @property
    def mesh_sample(self) -> NDArray[Any]:
        """first sample"""
    @property
    def sample(self) -> NDArray[Any]:
        """signed distances; x runs fastest, then y, then z [m]"""
    @property
    def mesh_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def vertex_pos(self) -> NDArray[Any]:
        """position in the mesh's frame [m]"""
    @property
    def face_vertex(self) -> NDArray[Any]:
        """vertices, counted from the first of the mesh, counter-clockwise seen from outside"""
    @property
    def hull_vertex(self) -> NDArray[Any]:
        """vertices, counted from the first of the mesh, counter-clockwise seen from outside"""
    @property
    def corner_image(self) -> NDArray[Any]:
        """texture coordinates, right and up from the lower left corner of the image, 0 to 1"""
    @property
    def height_field_height(self) -> NDArray[Any]:
        """first height"""
    @property
    def height_field_rows(self) -> NDArray[Any]:
        """number of rows, along y; at least 2"""
    @property
    def height_field_columns(self) -> NDArray[Any]:
        """number of columns, along x; at least 2"""
    @property
    def height_field_size(self) -> NDArray[Any]:
        """half width (x), half depth (y), max height, thickness below z = 0 [m]"""
    @property
    def height_field_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def height(self) -> NDArray[Any]:
        """height above z = 0; row by row from -y to y, each row from -x to x [m]"""
    @property
    def texture_type(self) -> NDArray[Any]:
        """HeftTextureType"""
    @property
    def texture_source(self) -> NDArray[Any]:
        """HeftTextureSource"""
    @property
    def texture_mark(self) -> NDArray[Any]:
        """HeftTextureMark"""
    @property
    def texture_width(self) -> NDArray[Any]:
        """width; 0: as in the file [pixels]"""
    @property
    def texture_height(self) -> NDArray[Any]:
        """height; 0: as in the file [pixels]"""
    @property
    def texture_color(self) -> NDArray[Any]:
        """first colour of a generated texture"""
    @property
    def texture_color2(self) -> NDArray[Any]:
        """second colour of a generated texture"""
    @property
    def texture_mark_color(self) -> NDArray[Any]:
        """colour of the mark"""
    @property
    def texture_file(self) -> NDArray[Any]:
        """path of the image, as an offset in names"""
    @property
    def texture_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def appearance_color(self) -> NDArray[Any]:
        """red, green, blue, opacity, 0 to 1"""
    @property
    def appearance_light(self) -> NDArray[Any]:
        """emission, specular, shininess, reflectance, 0 to 1"""
    @property
    def appearance_texture(self) -> NDArray[Any]:
        """texture, or -1"""
    @property
    def appearance_repeat(self) -> NDArray[Any]:
        """repetitions of the texture on the surface"""
    @property
    def appearance_uniform(self) -> NDArray[Any]:
        """1: appearance_repeat counts per metre of surface"""
    @property
    def appearance_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def camera_body(self) -> NDArray[Any]:
        """body that carries the camera"""
    @property
    def camera_pos(self) -> NDArray[Any]:
        """position in the body's frame [m]"""
    @property
    def camera_quat(self) -> NDArray[Any]:
        """orientation in the body's frame; the camera looks along -z, y is up"""
    @property
    def camera_fov(self) -> NDArray[Any]:
        """vertical field of view [rad]"""
    @property
    def camera_follow(self) -> NDArray[Any]:
        """HeftFollow"""
    @property
    def camera_target(self) -> NDArray[Any]:
        """body that the camera looks at, or -1"""
    @property
    def camera_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def light_body(self) -> NDArray[Any]:
        """body that carries the light"""
    @property
    def light_pos(self) -> NDArray[Any]:
        """position in the body's frame [m]"""
    @property
    def light_dir(self) -> NDArray[Any]:
        """unit direction in the body's frame"""
    @property
    def light_follow(self) -> NDArray[Any]:
        """HeftFollow"""
    @property
    def light_target(self) -> NDArray[Any]:
        """body that the light points at, or -1"""
    @property
    def light_directional(self) -> NDArray[Any]:
        """1: parallel rays; 0: a spot light"""
    @property
    def light_shadow(self) -> NDArray[Any]:
        """1: casts shadows"""
    @property
    def light_active(self) -> NDArray[Any]:
        """1: the light is on"""
    @property
    def light_ambient(self) -> NDArray[Any]:
        """ambient colour"""
    @property
    def light_diffuse(self) -> NDArray[Any]:
        """diffuse colour"""
    @property
    def light_specular(self) -> NDArray[Any]:
        """specular colour"""
    @property
    def light_attenuation(self) -> NDArray[Any]:
        """constant, linear and quadratic attenuation with distance [1, 1/m, 1/m²]"""
    @property
    def light_cutoff(self) -> NDArray[Any]:
        """half opening angle of the spot [rad]"""
    @property
    def light_exponent(self) -> NDArray[Any]:
        """exponent of the decay from the centre of the spot to its edge"""
    @property
    def light_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def pair_shape(self) -> NDArray[Any]:
        """two shapes that collide whatever their categories"""
    @property
    def pair_material(self) -> NDArray[Any]:
        """contact material"""
    @property
    def pair_contact_dim(self) -> NDArray[Any]:
        """as shape_contact_dim"""
    @property
    def pair_margin(self) -> NDArray[Any]:
        """distance below which contact points are created [m]"""
    @property
    def pair_gap(self) -> NDArray[Any]:
        """as shape_gap [m]"""
    @property
    def pair_friction2(self) -> NDArray[Any]:
        """second sliding coefficient, across the first; 0: the same in all directions. The first acts  along the x axis of the first shape, as seen along the normal (y axis if it is the normal)"""
    @property
    def pair_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def exclude_body(self) -> NDArray[Any]:
        """two bodies whose shapes do not collide with each other"""
    @property
    def exclude_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def equality_type(self) -> NDArray[Any]:
        """HeftEqualityType"""
    @property
    def equality_object(self) -> NDArray[Any]:
        """bodies, joints or tendons, by the type; the second joint or tendon may be -1"""
    @property
    def equality_active(self) -> NDArray[Any]:
        """1: active from the start"""
    @property
    def equality_anchor(self) -> NDArray[Any]:
        """connect, weld: the common point in the frames of body 1 and body 2 [m]"""
    @property
    def equality_quat(self) -> NDArray[Any]:
        """weld: orientation of body 2 in the frame of body 1"""
    @property
    def equality_poly(self) -> NDArray[Any]:
        """joint, tendon: coefficients of the polynomial, from constant to quartic"""
    @property
    def equality_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def tendon_wrap(self) -> NDArray[Any]:
        """first element of the path"""
    @property
    def tendon_wrap_count(self) -> NDArray[Any]:
        """number of elements of the path"""
    @property
    def tendon_limited(self) -> NDArray[Any]:
        """1 if tendon_range applies"""
    @property
    def tendon_range(self) -> NDArray[Any]:
        """min and max of the length [m, or the unit of its joints]"""
    @property
    def tendon_spring(self) -> NDArray[Any]:
        """lengths between which the spring exerts no force; first negative: the length at q_spring [m, or the unit of its joints]"""
    @property
    def tendon_stiffness(self) -> NDArray[Any]:
        """stiffness [N/m]"""
    @property
    def tendon_damping(self) -> NDArray[Any]:
        """viscous damping [N s/m]"""
    @property
    def tendon_friction(self) -> NDArray[Any]:
        """dry friction [N]"""
    @property
    def tendon_armature(self) -> NDArray[Any]:
        """inertia of the motion along the tendon [kg]"""
    @property
    def tendon_width(self) -> NDArray[Any]:
        """radius for drawing [m]"""
    @property
    def tendon_color(self) -> NDArray[Any]:
        """red, green, blue, opacity, 0 to 1"""
    @property
    def tendon_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def wrap_type(self) -> NDArray[Any]:
        """HeftWrapType"""
    @property
    def wrap_object(self) -> NDArray[Any]:
        """joint, site or shape (sphere or cylinder); -1 for a pulley"""
    @property
    def wrap_value(self) -> NDArray[Any]:
        """joint: coefficient; pulley: divisor of the elements that follow"""
    @property
    def wrap_side(self) -> NDArray[Any]:
        """shape: site that selects the side of the shape, or -1"""
    @property
    def actuator_transmission(self) -> NDArray[Any]:
        """HeftTransmission"""
    @property
    def actuator_target(self) -> NDArray[Any]:
        """joint, tendon or site on which the actuator acts; slider crank: site of the crank"""
    @property
    def actuator_reference(self) -> NDArray[Any]:
        """site: the reference site, or -1; slider crank: site of the slider"""
    @property
    def actuator_crank(self) -> NDArray[Any]:
        """slider crank: length of the rod [m]"""
    @property
    def actuator_gear(self) -> NDArray[Any]:
        """transmission ratio; joints: one per degree of freedom; sites: a wrench (force, torque)"""
    @property
    def actuator_activation(self) -> NDArray[Any]:
        """HeftActivation"""
    @property
    def actuator_time(self) -> NDArray[Any]:
        """time constant of a filter [s]"""
    @property
    def actuator_act(self) -> NDArray[Any]:
        """activation of the actuator in the state, or -1"""
    @property
    def actuator_gain(self) -> NDArray[Any]:
        """force per unit of control or activation"""
    @property
    def actuator_gain_rate(self) -> NDArray[Any]:
        """change of the gain per unit of length, and per unit of velocity"""
    @property
    def actuator_act_limited(self) -> NDArray[Any]:
        """1 if actuator_act_range applies"""
    @property
    def actuator_act_range(self) -> NDArray[Any]:
        """min and max of the activation, in the unit of the actuator"""
    @property
    def actuator_act_early(self) -> NDArray[Any]:
        """1: the force uses the activation at the end of the step"""
    @property
    def actuator_bias(self) -> NDArray[Any]:
        """added force: constant, per unit of length, per unit of velocity"""
    @property
    def actuator_control_limited(self) -> NDArray[Any]:
        """1 if actuator_control_range applies"""
    @property
    def actuator_control_range(self) -> NDArray[Any]:
        """min and max of the control, in the unit of the actuator"""
    @property
    def actuator_force_limited(self) -> NDArray[Any]:
        """1 if actuator_force_range applies"""
    @property
    def actuator_force_range(self) -> NDArray[Any]:
        """min and max of the force [N, N m]"""
    @property
    def actuator_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def sensor_type(self) -> NDArray[Any]:
        """HeftSensorType"""
    @property
    def sensor_object(self) -> NDArray[Any]:
        """index of the measured object, of the kind that the type states; -1 for a clock"""
    @property
    def sensor_frame(self) -> NDArray[Any]:
        """HeftFrame: kind of sensor_object, if the type measures a frame"""
    @property
    def sensor_reference(self) -> NDArray[Any]:
        """frame in which the sensor measures; -1: the world"""
    @property
    def sensor_reference_frame(self) -> NDArray[Any]:
        """HeftFrame: kind of sensor_reference"""
    @property
    def sensor_address(self) -> NDArray[Any]:
        """first value of the sensor in the sensor data"""
    @property
    def sensor_noise(self) -> NDArray[Any]:
        """standard deviation of the noise, in the unit of the sensor"""
    @property
    def sensor_cutoff(self) -> NDArray[Any]:
        """values are clamped at -cutoff and cutoff, in the unit of the sensor; 0: no limit"""
    @property
    def sensor_matrix(self) -> NDArray[Any]:
        """calibration: row by which the true values of the sensor are multiplied; unused columns are  0 [1]"""
    @property
    def sensor_offset(self) -> NDArray[Any]:
        """calibration: added to the value, in the unit of the sensor"""
    @property
    def sensor_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def key_time(self) -> NDArray[Any]:
        """time of the keyframe [s]"""
    @property
    def key_q(self) -> NDArray[Any]:
        """coordinates of the keyframe [m, rad]"""
    @property
    def key_v(self) -> NDArray[Any]:
        """velocities of the keyframe [m/s, rad/s]"""
    @property
    def key_act(self) -> NDArray[Any]:
        """activations of the keyframe, in the units of the actuators"""
    @property
    def key_control(self) -> NDArray[Any]:
        """controls of the keyframe, in the units of the actuators"""
    @property
    def key_moved(self) -> NDArray[Any]:
        """poses of the moved bodies in the keyframe: position, quaternion [m]"""
    @property
    def moved_body(self) -> NDArray[Any]:
        """the body; it hangs on the world and has no joints"""
    @property
    def moved_velocity(self) -> NDArray[Any]:
        """velocity at the start: angular, and linear of its origin, in the world [rad/s, m/s]"""
    @property
    def conveyor_shape(self) -> NDArray[Any]:
        """the shape"""
    @property
    def conveyor_velocity(self) -> NDArray[Any]:
        """velocity of the surface along the shape, in its frame: linear, then angular about its  origin [m/s, rad/s]"""
    @property
    def key_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def contact_model(self) -> NDArray[Any]:
        """name of the contact model that the description requests, as an offset in names; empty: the  choice of the world"""
    @property
    def name_pool(self) -> NDArray[Any]:
        """zero-terminated names; offset 0 is the empty name"""
    @property
    def joint_restitution(self) -> NDArray[Any]:
        """coefficient of restitution of an impact at a limit of the joint, 0 to 1"""
    @property
    def deformable_node(self) -> NDArray[Any]:
        """first node"""
    @property
    def deformable_node_count(self) -> NDArray[Any]:
        """number of nodes"""
    @property
    def deformable_tetrahedron(self) -> NDArray[Any]:
        """first tetrahedron"""
    @property
    def deformable_tetrahedron_count(self) -> NDArray[Any]:
        """number of tetrahedra"""
    @property
    def deformable_skin(self) -> NDArray[Any]:
        """first surface triangle"""
    @property
    def deformable_skin_count(self) -> NDArray[Any]:
        """number of surface triangles"""
    @property
    def deformable_young(self) -> NDArray[Any]:
        """Young's modulus [Pa]"""
    @property
    def deformable_poisson(self) -> NDArray[Any]:
        """Poisson's ratio, 0 to 0.49"""
    @property
    def deformable_damping(self) -> NDArray[Any]:
        """viscosity: stress of a strain rate, as this time times the stress of that strain [s]"""
    @property
    def deformable_color(self) -> NDArray[Any]:
        """red, green, blue, opacity, 0 to 1"""
    @property
    def deformable_name(self) -> NDArray[Any]:
        """offset in names"""
    @property
    def node_body(self) -> NDArray[Any]:
        """body of the node; it hangs on the world, by three slides or welded to it"""
    @property
    def node_rest(self) -> NDArray[Any]:
        """place of the node in the shape without stress [m]"""
    @property
    def tetrahedron_node(self) -> NDArray[Any]:
        """its corners, counted from the first node of its body, of positive volume"""
    @property
    def skin_node(self) -> NDArray[Any]:
        """corners of the triangle, counted from the first node of its body, seen from outside in  anticlockwise order"""
    def torques_to_controls(self, tau: ArrayLike, controls: ArrayLike) -> NDArray[Any]:
        """Writes torques (nv) to the controls of the actuators that act on single joints, within their limits. controls: nactuator (heft_world_controls())."""
    def spring_forces(self, q: ArrayLike, tau: ArrayLike) -> NDArray[Any]:
        """Adds the forces of joint springs at q: tau += -k (q - q_spring) (nv)."""
class World:
    def __init__(self, model: Model, **options: Any) -> None: ...
    def step(self, n: int = 1) -> StepReport: ...
    def step_until(self, deadline_ns: int) -> StepReport: ...
    def effort(self) -> NDArray[Any]: ...
    def step_replay(self, effort: ArrayLike) -> StepReport: ...
    def reset(self, key: str | int | None = None) -> None: ...
    def snapshot(self) -> bytes: ...
    def _capsule(self) -> object: ...
    def restore(self, snapshot: Buffer) -> None: ...
    def hash(self) -> int: ...
    def clone(self: _W) -> _W: ...
    def close(self) -> None: ...
    @property
    def q(self) -> NDArray[Any]:
        """Coordinates (nq). Read-only view; assign to set all of them."""
    @q.setter
    def q(self, value: ArrayLike) -> None: ...
    @property
    def v(self) -> NDArray[Any]:
        """Velocities (nv). Read-only view; assign to set all of them."""
    @v.setter
    def v(self, value: ArrayLike) -> None: ...
    @property
    def controls(self) -> NDArray[Any]:
        """Controls of the actuators (nactuator), to be written."""
    @controls.setter
    def controls(self, value: ArrayLike) -> None: ...
    @property
    def joint_forces(self) -> NDArray[Any]:
        """External joint forces (nv) [N, N m], to be written."""
    @joint_forces.setter
    def joint_forces(self, value: ArrayLike) -> None: ...
    @property
    def activations(self) -> NDArray[Any]: ...
    @property
    def moved(self) -> NDArray[Any]: ...
    @property
    def moved_commands(self) -> NDArray[Any]: ...
    @property
    def conveyors(self) -> NDArray[Any]: ...
    @property
    def sensors(self) -> NDArray[Any]: ...
    @property
    def time(self) -> float: ...
    @property
    def closed(self) -> bool: ...
    @property
    def contacts(self) -> list[Contact]: ...
    @property
    def constraint_forces(self) -> list[ConstraintForce]: ...
    @property
    def step_motion(self) -> dict[str, Any]: ...
    controller: Callable[[Any, int], Any] | None
    contact_filter: Callable[[ContactPoint], bool] | None
    def joint_position(self, joint: str) -> NDArray[Any]: ...
    def set_joint_position(self, joint: str, q: ArrayLike) -> None: ...
    def joint_velocity(self, joint: str) -> NDArray[Any]: ...
    def set_joint_velocity(self, joint: str, v: ArrayLike) -> None: ...
    def sensor(self, sensor: str) -> NDArray[Any]: ...
    def set_control(self, actuator: str, value: float) -> None:
        """The control of an actuator, in the unit that its gain expects."""
    def control(self, actuator: str) -> float:
        """The control of an actuator, in the unit that its gain expects."""
    def body_pose(self, body: str) -> Pose:
        """Pose of a body or site in the world frame."""
    def site_pose(self, site: str) -> Pose:
        """Pose of a body or site in the world frame."""
    def body_velocity(self, body: str) -> Spatial:
        """Velocity of a body at its origin, in world axes: angular [rad/s] and linear [m/s]."""
    def move_body(self, body: str, target: Pose) -> None:
        """Moves a moved body during the next step to a pose; then it rests, unless it is moved again. HEFT_ERR_ARGUMENT: the body is not a moved one. HEFT_ERR_VALUE: a number is not finite."""
    def set_body_velocity(self, body: str, velocity: Spatial) -> None:
        """Sets the velocity of a moved body from the next step on, until it is changed: angular, and linear of its origin, in world axes [rad/s, m/s]. Errors as above."""
    def set_conveyor(self, shape: str, linear: ArrayLike, angular: ArrayLike) -> None:
        """Sets the velocity of the surface of a conveyor from the next step on, until it is changed: linear, and angular about the origin of the shape, in its frame [m/s, rad/s]. HEFT_ERR_ARGUMENT: the shape is not a conveyor. HEFT_ERR_VALUE: a number is not finite."""
    def apply_force(self, body: str, force: ArrayLike) -> None:
        """Applies a force at the centre of mass of a body during the next step [N]."""
    def body_contact_force(self, body: str) -> NDArray[Any]:
        """Sum of the contact forces on a body in the last step [N]."""
    def apply_change(self, change: Change) -> None:
        """Changes a parameter of a world. HEFT_ERR_VALUE: there is no such parameter, or its value is out of range."""
    @property
    def min_step_ns(self) -> int:
        """Time that the last step with a deadline took outside the solver [ns]; 0 before the first. A deadline closer than this cannot be met."""
    @property
    def time_step(self) -> float:
        """Length of a step [s]: def.time_step, or the model's."""
    def set_state(self, state: State) -> None:
        """Copies a state of the same model. HEFT_ERR_VALUE: a number is not finite, or a quaternion is far from unit length; the state then stays as it was."""
    def actuator_force(self, actuator: int) -> float:
        """Force of an actuator along its transmission, mean over the last step [N, N m]; 0 before the first."""
    def apply_wrench(self, body: int, point: ArrayLike, force: ArrayLike, torque: ArrayLike) -> None:
        """Applies a force [N] at a point of the world frame and a torque [N m] to a body, during the next step only."""
    def add_coupling(self, coupling: Coupling) -> int:
        """Couples a body during the next step only. Returns the index of the coupling in that step. Returns -1 if there are HEFT_COUPLING_MAX already, the body does not exist, a number is not finite, or a stiffness, damping or limit is negative."""
    def coupling_wrench(self, coupling: int) -> Spatial:
        """Torque and force of a coupling of the last step on its body, mean over the step, at its frame; zero if there was no such coupling."""
    def reserve_contacts(self, contact_points: int) -> None:
        """Makes room for at least so many contact points in a step, and for as many pairs of shapes as the last step had. To be called between two steps, for example if one ends with HEFT_STEP_CONTACTS_DROPPED: twice contact_count + contact_dropped of its report is a good number. Allocates, so it does not belong into a control loop. State, controls and the impulses that the next step starts from stay as they are: it has the bits of a world that was created with this capacity. The contacts of the last step are forgotten. Never reduces room. HEFT_ERR_MEMORY, HEFT_ERR_VALUE (too many): nothing changes. error may be NULL."""
    @property
    def contact_model(self) -> ContactModel:
        """The contact model in use; never FROM_FILE."""
    @property
    def contact_options(self) -> ContactOptions:
        """The contact model in use; never FROM_FILE."""
    def set_contact_model(self, model: ContactModel | str, options: ContactOptions | None = None) -> None:
        """Sets contact model and options (options may be NULL: the present ones) from the next step on. Allocates, so it does not belong into a control loop. On failure nothing changes. error may be NULL."""
    def set_gravity(self, gravity: ArrayLike) -> None:
        """Gravity [m/s²]."""
    @property
    def gravity(self) -> NDArray[Any]:
        """Gravity [m/s²]."""
    def set_material(self, material: int, value: Material) -> None:
        """A material of the model, for all shapes and pairs that use it."""
    def material(self, material: int) -> Material:
        """A material of the model, for all shapes and pairs that use it."""
    def set_pair_material(self, pair: int, value: Material) -> None:
        """The material of only one contact pair of the model."""
    def pair_material(self, pair: int) -> Material:
        """The material of only one contact pair of the model."""
    def set_shape_material(self, shape: int, value: Material) -> None:
        """The material of only one shape of the model. Later changes of the material that it had in the model do not reach it."""
    def shape_material(self, shape: int) -> Material:
        """The material of only one shape of the model. Later changes of the material that it had in the model do not reach it."""
    def set_mass_factors(self, body: int, mass: float, inertia: float) -> None:
        """Multiplies mass and inertia of a body of the model by two factors above 0; 1 restores the model's. The centre of mass of the body stays."""
    def body_mass(self, body: int) -> float:
        """Mass of a body in this world [kg]."""
    def set_actuator_gains(self, actuator: int, gains: ActuatorGains) -> None:
        """Sets and gets the gains of an actuator in this world. HEFT_ERR_VALUE: a gain is not finite."""
    def actuator_gains(self, actuator: int) -> ActuatorGains:
        """Sets and gets the gains of an actuator in this world. HEFT_ERR_VALUE: a gain is not finite."""
    def set_seed(self, seed: int) -> None:
        """Seed of the noise of sensors, instead of the def's. A snapshot does not hold it."""
    def transfer(self, from_: World) -> None:
        """Makes a world of a changed model go on where a world of the former model is: objects can be created and removed while a program runs. Change the model by heft_builder_add_model(), create a world `to` of it, transfer, and destroy the former world. Bodies, joints, shapes, materials, actuators, tendons and equalities are matched by name, those without a name by what they are and where. Matched objects keep coordinates, velocities, activations, controls, joint forces, commands of moved bodies, conveyors, changed parameters, data of the user, and the impulses of the last step: contact forces go on without a jump, and islands at rest stay at rest. New objects have the state of `to` at its start. Callbacks, wrenches and couplings are not carried. error may be NULL."""
    @property
    def dynamics(self) -> Dynamics:
        """Poses, velocities and energies at the present state, for the functions of dynamics.h that take a const HeftDynamics. The world computes them when it is created, stepped or given another state."""
    def contact(self, index: int) -> Contact:
        """Number of contacts of the last step; 0 after the state was set."""
    def contact_wrench(self, body: int, about: ArrayLike) -> Spatial:
        """Sum of the contact forces on a body in the last step: force [N] and torque about a point [N m]."""
    def pair_wrench(self, body: int, other: int, about: ArrayLike) -> Spatial:
        """Sum of the forces of the contacts with one other body, as heft_world_contact_wrench()."""
    def contact_pressure_center(self, body: int) -> NDArray[Any] | None:
        """Centre of pressure of all contacts of a body: the mean of their positions, weighted by the normal forces. Returns false, and writes nothing, if all normal forces are zero."""
    def body_contact(self, body: int) -> BodyContact:
        """Contact of a body with all others in the last step."""
    @property
    def snapshot_size_max(self) -> int:
        """Upper bound of heft_world_snapshot_size() for this world."""
    @property
    def memory(self) -> int:
        """Memory that the world holds [bytes]: everything that it took from the allocator of its def, for all its parts. heft_world_set_contact_model() and changes of parameters alter it."""

class Batch:
    def __init__(self, model: Model, count: int, threads: int, options: dict[str, Any],
                 variations: dict[str, Any], ends: Any, before: Any, after: Any, world: type[World]) -> None: ...
    def step(self, n: int = 1) -> None: ...
    def stop(self) -> None: ...
    def hash(self, index: int) -> int: ...
    def world(self, index: int) -> Any: ...
    def store(self) -> None: ...
    def close(self) -> None: ...
    def _rollout(self, steps: int | None, controls: ArrayLike | None, q: bool, v: bool,
                 sensors: bool) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]: ...
    def _reset(self, which: ArrayLike | None, key: int) -> None: ...
    def _set_states(self, q: ArrayLike | None, v: ArrayLike | None, which: ArrayLike | None) -> None: ...
    @property
    def q(self) -> NDArray[Any]: ...
    @property
    def v(self) -> NDArray[Any]: ...
    @property
    def time(self) -> NDArray[Any]: ...
    @property
    def sensors(self) -> NDArray[Any]: ...
    @property
    def controls(self) -> NDArray[Any]: ...
    @controls.setter
    def controls(self, value: ArrayLike) -> None: ...
    @property
    def ended(self) -> NDArray[Any]: ...
    @property
    def steps(self) -> NDArray[Any]: ...
    @property
    def _reports(self) -> NDArray[Any]: ...
    @property
    def count(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def closed(self) -> bool: ...



class Log:
    def __init__(self, path: str, model: Model, model_path: str | None = None) -> None: ...
    def write(self, world: World, report: StepReport | None = None) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...

class ContactProblem:
    def __init__(self, W: ArrayLike, b: ArrayLike, mu: ArrayLike, types: Sequence[ConstraintType | str] | None = None,
                 warm: ArrayLike | None = None, velocity_scale: float = 0, compliance: float = 0) -> None: ...
    def text(self) -> str: ...
    def certify(self, impulse: ArrayLike, velocity: ArrayLike | None = None) -> ContactCertificate: ...
    def natural_map_error(self, impulse: ArrayLike) -> float: ...
    def _solve(self, termination: ContactTermination, method: ContactMethod | str
               ) -> tuple[NDArray[Any], NDArray[Any], ContactResult]: ...
    @property
    def constraint_count(self) -> int: ...
    @property
    def row_count(self) -> int: ...

class Dynamics:
    def __init__(self, model: Model) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def delassus(self, bodies: ArrayLike, points: ArrayLike, frames: ArrayLike,
                 method: DelassusMethod | str = ...) -> NDArray[Any]: ...
    def tendon_path(self, tendon: int) -> NDArray[Any]: ...
    def kinematics(self, q: ArrayLike) -> None:
        """Poses, motion axes and inertias at q (nq)."""
    def set_moved(self, moved: ArrayLike | None = None) -> None:
        """Poses and velocities of the moved bodies (nmoved x 13), as in HeftState. moved may be NULL: they rest as the model describes them, which they do after heft_dynamics_create()."""
    def velocities(self, v: ArrayLike) -> None:
        """Velocities of all bodies at v (nv). heft_dynamics_rnea() and heft_dynamics_aba() include this."""
    def body_pose(self, body: int) -> Pose:
        """Pose of a body or of a site in the world, at the q of the last heft_dynamics_kinematics()."""
    def site_pose(self, site: int) -> Pose:
        """Pose of a body or of a site in the world, at the q of the last heft_dynamics_kinematics()."""
    def body_velocity(self, body: int, point: ArrayLike) -> Spatial:
        """Velocity of a body at a point that moves with it: (angular velocity, velocity of the point). Needs heft_dynamics_velocities(), RNEA or ABA."""
    def body_acceleration(self, body: int, point: ArrayLike) -> Spatial:
        """Acceleration of a body at a point that moves with it: (angular acceleration, acceleration of the point), for the motion that the last heft_dynamics_rnea() was about. Without a it gives the part that only the velocities make, dJ/dt v."""
    def body_jacobian(self, body: int, point: ArrayLike) -> NDArray[Any]:
        """Jacobian of the motion of a body at a point: out (6 x nv, row-major), rows angular then linear."""
    def clear_wrenches(self) -> None:
        """Removes all wrenches."""
    def add_wrench(self, body: int, point: ArrayLike, force: ArrayLike, torque: ArrayLike) -> None:
        """Adds a force and a torque that act on a body at a point of the world, until they are cleared."""
    def wrenches_to_joints(self, tau: ArrayLike) -> NDArray[Any]:
        """tau += Σ Jᵀ f of all wrenches (nv)."""
    def rnea(self, v: ArrayLike, a: ArrayLike | None = None) -> NDArray[Any]:
        """Inverse dynamics, recursive Newton-Euler: tau = M a + b(q, v) - Σ Jᵀ f, gravity in b. a may be NULL (zero)."""
    def aba(self, v: ArrayLike, tau: ArrayLike | None = None) -> NDArray[Any]:
        """Forward dynamics, articulated bodies: a = M⁻¹ (tau - b + Σ Jᵀ f). tau may be NULL (zero)."""
    def crba(self) -> None:
        """The mass matrix by composite rigid bodies, armature included, stored along the paths of the tree."""
    def factor(self, extra: ArrayLike | None = None) -> None:
        """Factors M + diag(extra) = Lᵀ D L without fill-in; M itself stays. extra (nv) may be NULL. Needs heft_dynamics_crba(). HEFT_ERR_SINGULAR if the matrix is not positive definite; the factor must not be used then."""
    def solve(self, x: ArrayLike) -> NDArray[Any]:
        """x = (M + diag(extra))⁻¹ x in place (nv), from heft_dynamics_factor()."""
    def mass_matrix(self) -> NDArray[Any]:
        """The mass matrix of heft_dynamics_crba() as nv x nv, row-major."""
    def center_of_mass(self, body: int) -> NDArray[Any]:
        """Centre of mass of the subtree of a body [m]; body 0: of the whole model."""
    def momentum(self, body: int, about: ArrayLike) -> Spatial:
        """Momentum of the subtree of a body about a point: (angular [kg m²/s], linear [kg m/s]). Needs velocities."""
    def kinetic_energy(self, v: ArrayLike) -> float:
        """Kinetic energy [J], including armatures. Needs velocities at the same v."""
    def potential_energy(self, q: ArrayLike) -> float:
        """Potential energy of gravity (zero at the world's origin) and of joint springs [J]."""
    def tendon_length(self, tendon: int, q: ArrayLike) -> tuple[float, NDArray[Any]]:
        """Length of a tendon [m, or the unit of its joints]. q: the coordinates of the last heft_dynamics_kinematics(). moment_arm (nv, may be NULL): ∂l/∂q."""
    def actuator_length(self, actuator: int, q: ArrayLike) -> tuple[float, NDArray[Any]]:
        """Length of the transmission of an actuator, including the gear. Its force times moment_arm (nv, may be NULL) is its contribution to tau."""
    def tree_origin(self, body: int) -> NDArray[Any]:
        """Point about which the tree of a body is described: the centre of mass of the root body [m]."""

class Collider:
    def __init__(self, model: Model, def_: ColliderDef | None = None) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def update(self, dynamics: Dynamics) -> None: ...
    def collide(self) -> list[ContactPoint]: ...
    def filter(self, keep: Callable[[ContactPoint], bool]) -> list[ContactPoint]: ...
    def inside(self, point: ArrayLike, filter: QueryFilter | None = None) -> list[int]: ...
    def overlap(self, pose: Pose, half: ArrayLike, filter: QueryFilter | None = None) -> list[int]: ...
    def draw(self, kind: str, scale: float = ...) -> tuple[NDArray[Any], NDArray[Any]]: ...
    @property
    def memory(self) -> int:
        """Memory taken [bytes]."""
    @property
    def contact_capacity(self) -> int:
        """Max number of contact points of a call."""
    def ray(self, from_: ArrayLike, direction: ArrayLike, max_distance: float, filter: QueryFilter) -> RayHit:
        """The first surface that a ray from `from` along the unit vector `direction` enters within `max_distance` [m]. Shapes that contain the origin of the ray are not hit."""
    def closest(self, point: ArrayLike, max_distance: float, filter: QueryFilter) -> ClosestPoint:
        """The surface closest to a point, within max_distance [m]."""
    def distance(self, shape_a: int, shape_b: int) -> Distance:
        """Distance of two shapes of the model, whatever the rules of contact between them. Not for two planes, nor for a plane with a triangle mesh or height field, nor for two of those."""

class Spline:
    def __init__(self, times: ArrayLike, values: ArrayLike) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    @property
    def channels(self) -> int:
        """Reads a spline from text: one point per line, time first, numbers separated by commas, semicolons or blanks. Lines that begin with # or a letter are skipped. Numbers are written as in C, independent of the locale."""
    @property
    def end(self) -> float:
        """Reads a spline from text: one point per line, time first, numbers separated by commas, semicolons or blanks. Lines that begin with # or a letter are skipped. Numbers are written as in C, independent of the locale."""
    def at(self, time: float) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Values, velocities and accelerations at a time [s] (channels each; each may be NULL). Before the first point the first value holds, after the last point the last."""

class Biped:
    def __init__(self, model: Model, def_: BipedDef | None = None) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def stand(self, q: ArrayLike) -> BipedGoal: ...
    def torques(self, goal: BipedGoal, q: ArrayLike, v: ArrayLike) -> NDArray[Any]:
        """Torques for a goal at (q, v): tau (nv). HEFT_ERR_SINGULAR if the problem has no unique solution; tau is 0 then."""
    def step(self, goal: BipedGoal, world: World) -> None:
        """Sets a world's controls to heft_biped_torques() at its state. On failure they stay as they were."""
    def set_memory(self, numbers: ArrayLike) -> None:
        """Sets the numbers that the controller keeps from step to step, as heft_whole_body_memory() of its problem wrote them."""
    @property
    def whole_body(self) -> WholeBody:
        """The problem of the last heft_biped_torques(), for its forces and accelerations. Owned by biped."""

class State:
    def __init__(self, model: Model) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    @property
    def time(self) -> NDArray[Any]: ...
    @property
    def q(self) -> NDArray[Any]: ...
    @property
    def v(self) -> NDArray[Any]: ...
    @property
    def act(self) -> NDArray[Any]: ...
    @property
    def moved(self) -> NDArray[Any]: ...
    def reset(self, model: Model) -> None:
        """Sets q to q_default, and velocities, activations and time to zero."""
    def copy(self, from_: State) -> None:
        """Copies a state. Both must belong to the same model."""
    def set_key(self, model: Model, key: int) -> None:
        """Copies time, q, v, act and poses of moved bodies of a keyframe, 0 <= key < nkey. The moved bodies are at rest; conveyors move as in the model."""
    @property
    def hash(self) -> int:
        """64 bits that depend on every bit of the state."""
    @property
    def finite(self) -> bool:
        """True if all numbers of the state are finite."""

class Builder:
    def __init__(self) -> None:
        """A builder with the world body and the default material. allocator may be NULL (the default one), error may be NULL. *out is NULL on failure."""
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def set_physics(self, physics: Physics) -> None:
        """A builder with the world body and the default material. allocator may be NULL (the default one), error may be NULL. *out is NULL on failure."""
    def physics(self) -> Physics:
        """A builder with the world body and the default material. allocator may be NULL (the default one), error may be NULL. *out is NULL on failure."""
    def set_contact_model(self, word: str | None = None) -> None:
        """Name of the contact model that the model requests, for example 'exact'; word may be NULL or '': none. The name is copied; the world checks it (HEFT_CONTACT_MODEL_LIST)."""
    def set_limits(self, limits: ModelLimits) -> None:
        """Limits that heft_builder_finish() checks before it allocates."""
    def add_body(self, def_: BodyDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_joint(self, def_: JointDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_site(self, def_: SiteDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_material(self, def_: MaterialDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_shape(self, def_: ShapeDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_mesh(self, def_: MeshDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_height_field(self, def_: HeightFieldDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_texture(self, def_: TextureDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_appearance(self, def_: AppearanceDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_camera(self, def_: CameraDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_light(self, def_: LightDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_pair(self, def_: PairDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_exclude(self, def_: ExcludeDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_equality(self, def_: EqualityDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_tendon(self, def_: TendonDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_actuator(self, def_: ActuatorDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_sensor(self, def_: SensorDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_key(self, def_: KeyDef) -> int:
        """Each function adds one object and returns its index, -1 after an error. The builder stores the first error; later calls do nothing, and heft_builder_finish() reports it. A sequence of calls therefore needs no checks in between."""
    def add_deformable(self, def_: DeformableDef) -> int:
        """Adds bodies, slides and spheres of its vertices, too. Returns its index, -1 after an error."""
    def add_model(self, model: Model, def_: PartDef | None = None) -> int:
        """Adds a model, or a part of it: the way to change a model. Returns the index of its first body, -1 after an error; its bodies keep their order. The physics and the contact model of the builder stay as they are. A name that the builder has already is an error at the end: use a prefix. def may be NULL: all of the model, with its names, in its place. Then heft_builder_finish() makes the same bits again, after heft_builder_set_physics() and heft_builder_set_contact_model()."""
    def scale_mass(self, factor: float) -> None:
        """Multiplies masses and inertias of all bodies so far by a factor > 0."""
    def count(self, kind: Named | str) -> int:
        """How many bodies (the world included), sites, shapes, cameras or lights there are so far."""
    def status(self) -> None:
        """The first error so far; HEFT_OK if there is none. error may be NULL."""
    def finish(self) -> Model:
        """Makes the model. The builder can be destroyed afterwards. *out is NULL on failure."""

class WholeBody:
    def __init__(self, model: Model, def_: WholeBodyDef | None = None) -> None:
        """def may be NULL, error may be NULL. *out is NULL on failure."""
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def begin(self, q: ArrayLike, v: ArrayLike) -> None:
        """Starts a problem at coordinates q (nq) and velocities v (nv), without tasks, contacts and wrenches. Both arrays are copied."""
    @property
    def dynamics(self) -> Dynamics:
        """Kinematics and velocities at the state of heft_whole_body_begin()."""
    def memory(self) -> NDArray[Any]:
        """The numbers that the solution of a problem reuses from the last one (a start for the forces), for rewinding: HEFT_WHOLE_BODY_MEMORY numbers, written and read."""
    def set_memory(self, numbers: ArrayLike) -> None:
        """The numbers that the solution of a problem reuses from the last one (a start for the forces), for rewinding: HEFT_WHOLE_BODY_MEMORY numbers, written and read."""
    @property
    def mass(self) -> float:
        """Mass of the robot [kg]."""
    def com(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Centre of mass of the robot [m]. *velocity, which may be NULL, is its velocity [m/s]."""
    def add_wrench(self, on: int, point: ArrayLike, force: ArrayLike, torque: ArrayLike) -> None:
        """Adds a force [N] at a point of the world and a torque [N m] that act on body `on`, for example the weight of a load. All wrenches must be added before the first task."""
    def add_com_task(self, acc: ArrayLike, weight: ArrayLike) -> None:
        """Adds a task: acceleration of the centre of mass [m/s²], with a weight per axis."""
    def add_point_task(self, of: int, point: ArrayLike, acc: ArrayLike, weight: ArrayLike) -> None:
        """Adds a task: acceleration [m/s²] of a point, given in the world, that moves with body `of`."""
    def add_rotation_task(self, of: int, acc: ArrayLike, weight: ArrayLike) -> None:
        """Adds a task: angular acceleration of body `of` [rad/s²]."""
    def add_dof_task(self, dof: int, acc: float, weight: float) -> None:
        """Adds a task: acceleration of one degree of freedom [m/s², rad/s²]."""
    def add_contact(self, on: int, point: ArrayLike, normal: ArrayLike, friction: float, share: float) -> int:
        """Adds a contact that may carry force: a point of the world on body `on`, the unit normal that points into the body, the coefficient of friction, and the share of the load relative to other contacts (0 < share <= 1). Returns its index, -1 if contact_capacity is reached."""
    def solve(self) -> NDArray[Any]:
        """Solves. tau (nv): torques at the joints with actuators, 0 elsewhere. HEFT_ERR_SINGULAR if the problem has no unique solution; tau is 0 then."""
    def acceleration(self) -> NDArray[Any]:
        """Accelerations of the last heft_whole_body_solve() (nv). Owned by the controller; valid until the next solve."""
    def force(self, contact: int) -> NDArray[Any]:
        """Force of a contact on the robot in the last solution [N], in the world's frame."""

class Walk:
    def __init__(self, def_: WalkDef | None, stand: BipedGoal, gravity: float) -> None:
        """Plans from a goal of standing (heft_biped_stand()) in the direction of its pelvis. gravity [m/s²], > 0. def and error may be NULL. *out is NULL on failure."""
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    @property
    def duration(self) -> float:
        """Duration of the plan [s]."""
    def goal(self, time: float, goal: BipedGoal) -> NDArray[Any]:
        """Writes centre of mass and feet at a time [s] into the goal. *zmp, which may be NULL, is the planned centre of pressure [m]."""

class PoseSolver:
    def __init__(self, model: Model, root: int) -> None:
        """root: the body at the root of the robot's tree."""
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def solve(self, targets: Sequence[PoseTarget], q: ArrayLike) -> tuple[float, NDArray[Any]]:
        """Changes q (nq) to minimise the weighted error of the targets, within the ranges of the joints and close to the given q. Joints with springs keep their coordinates. Returns the remaining weighted error, the root of the sum of squares [m, rad]."""

class Compliance:
    def __init__(self, model: Model, def_: ComplianceDef | None = None) -> None:
        """def may be NULL, error may be NULL. *out is NULL on failure."""
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def set_dof(self, dof: int, inertia: float, damping: float, stiffness: float) -> None:
        """Sets the elements of the diagonal matrices M_d [kg m²], B_d [N m s/rad] and of the stiffness [N m/rad] of one dof; ranges as in HeftComplianceDef."""
    def reset(self) -> None:
        """Sets offset and velocity to zero."""
    def step(self, dynamics: Dynamics, loads: Sequence[Load], dt: float) -> None:
        """One step of dt [s] with load_count forces on the robot. dynamics: at the present pose."""
    def set_offset(self, offset: ArrayLike, velocity: ArrayLike) -> None:
        """Sets offset and velocity (nv each), as they were read before."""
    def offset(self) -> NDArray[Any]:
        """Offset of each dof from the posture, and its rate (nv). Owned by the controller."""
    def velocity(self) -> NDArray[Any]:
        """Offset of each dof from the posture, and its rate (nv). Owned by the controller."""
    def apply(self, posture: ArrayLike) -> NDArray[Any]:
        """out (nq) = posture plus offset, within the ranges of the joints. out may be posture."""

class Gaze:
    def __init__(self, model: Model, site: int, base: int, speed: float) -> None:
        """site: frame of the eyes. base: body at which the neck begins; -1: the body named 'chest', or the parent of the body of the site. speed: max joint velocity [rad/s]."""
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def step(self, dynamics: Dynamics, q: ArrayLike, point: ArrayLike, dt: float, posture: ArrayLike) -> tuple[float, NDArray[Any]]:
        """Turns the joints of the neck in a posture (nq) towards a point of the world. dynamics: at the present coordinates q. Returns the remaining angle [rad]."""

class Probe:
    def __init__(self, model: Model, def_: ProbeDef | None = None) -> None:
        """def may be NULL, error may be NULL. *out is NULL on failure."""
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def begin(self, world: World, input: ProbeInput) -> None:
        """Called before a step: finds the contact of the hand and couples it to the world."""
    def end(self, world: World) -> LocalModel:
        """Called after the step: returns the local model until the next step."""
    @property
    def state(self) -> ProbeState:
        """Called after the step: returns the local model until the next step."""
    def set_state(self, state: ProbeState) -> None:
        """Called after the step: returns the local model until the next step."""
    @property
    def def_(self) -> ProbeDef:
        """Called after the step: returns the local model until the next step."""

def contact_problem_parse(text: str | bytes, name: str | None = None) -> ContactProblem: ...
def spline_read(text: str) -> Spline: ...
def biped_def(model: Model) -> BipedDef: ...
def compliance_def(model: Model) -> ComplianceDef: ...
def step_report_text(report: StepReport, model: Model | None = None) -> str: ...
def step_tally_text(tally: StepTally, model: Model | None = None) -> str: ...
def options(name: str) -> list[dict[str, Any]]: ...
def _choose(name: str, kind: type[Any]) -> None: ...
def _empty() -> None: ...
def change_name(kind: ChangeKind | str) -> str:
    """Name of a kind of change. Static string, never NULL."""
def change_is_object(kind: ChangeKind | str) -> bool:
    """True if the kind makes another model: heft_model_apply_change()."""
def model_apply_change(model: Model, change: Change, part: Model | None = None) -> Model:
    """Makes a model with another object, or without one; a world of it goes on by heft_world_transfer(). part: the model of a file, NULL otherwise. *out is NULL on failure."""
def world_key_model(world: World, key: str) -> Model:
    """Makes a model of the present of a world: one more keyframe with time, q, v, activations, controls and moved bodies, and the changed parameters of the world as numbers of the model; the inertia of a body changes with its mass. So heft_model_write_file() saves a moment. HEFT_ERR_VALUE: a keyframe has this name already, or the material of only one shape or contact pair was changed and is shared with others. *out is NULL on failure, and has to be destroyed by heft_model_destroy() otherwise."""
def status_name(status: Status | str) -> str:
    """The identifier of a status as text, for example 'HEFT_ERR_MEMORY'. Static string, never NULL."""
def status_text(status: Status | str) -> str:
    """The sentence that explains a status. Static string, never NULL."""
def clock_ns() -> int:
    """Monotonic clock [ns], for deadlines and measurements; its origin is arbitrary."""
def query_filter_all() -> QueryFilter:
    """A filter that includes all shapes that can collide."""
def constraint_type_row_count(type: ConstraintType | str) -> int:
    """Number of rows of a constraint block of this type, 1 to 6."""
def contact_solver_bytes(def_: ContactSolverDef) -> int:
    """Memory of a solver with this def [bytes]."""
def pd_torques(model: Model, kp: ArrayLike, kv: ArrayLike, q_d: ArrayLike, v_d: ArrayLike | None, ff: ArrayLike | None, q: ArrayLike, v: ArrayLike) -> NDArray[Any]:
    """Γ = ff + K_p (q_d - q) + K_v (q̇_d - q̇) for all degrees of freedom: tau (nv). kp, kv (nv): 0 for a dof without servo. v_d and ff may be NULL (zero). For ball and free joints q_d - q is the rotation vector from q to q_d. scratch: nv."""
def drive_torque(drive: Drive, q_d: float, v_d: float, ff: float, q: float, v: float) -> float:
    """Γ = R (K_p (q_d - q) + K_v (q̇_d - q̇)) + ff - μ_v q̇ - μ_d sign(q̇): the torque at the joint."""
def drive_armature(drive: Drive) -> float:
    """Rotor inertia reduced to the joint, R² J [kg m²]: the value of dof_armature in the model."""
def spline_smooth_step(s: float) -> NDArray[Any]:
    """Smooth step from 0 to 1 for s in [0, 1], with zero velocity and acceleration at both ends. out: value and the first two derivatives by s. Outside [0, 1] the value is constant."""
def wrist_wrench(world: World, site: int, object: int) -> Spatial:
    """Wrench of a held object on a hand, as the force sensor in a wrist reads it: torque [N m] and force [N] of all contacts of the object with the body of a site and the bodies beyond it, about the origin and along the axes of the site."""
def wrist_weight(world: World, site: int, object: int, share: float) -> Spatial:
    """heft_wrist_wrench() of an object at rest of whose weight this hand carries a share. The weight acts at the object's centre of mass."""
def wrist_load(world: World, site: int, wrench: Spatial) -> Load:
    """A wrench in the frame of a site as a load on its body, for heft_compliance_step()."""
def force_sensor_read(sensor: ForceSensor, body: ArrayLike, wrench: Spatial, tick: int) -> NDArray[Any]:
    """Raw values for a wrench on the sensor (torque, force; at its centre, in world axes), if its body has the orientation `body`. tick numbers the readings, for the noise. HEFT_ERR_SINGULAR if G has no inverse."""
def force_sensor_outside(sensor: ForceSensor, body: ArrayLike, gravity: ArrayLike, raw: ArrayLike) -> Spatial:
    """External wrench (torque, force) in world axes, from the raw values."""
def force_plate_read(world: World, body: int, other: int, height: float) -> ForcePlate:
    """Reading of a level plate at height z [m], from the contacts of `body` with `other`."""
def butterworth_make(order: int, cutoff: float, rate: float) -> Butterworth:
    """order: 1 to HEFT_BUTTERWORTH_ORDER_MAX. cutoff and rate [Hz], 0 < cutoff < rate / 2."""
def butterworth_step(filter: Butterworth, x: float) -> float:
    """Filters one value; called once per 1 / rate."""
def delassus_name(method: DelassusMethod | str) -> str:
    """Name of a method, and one phrase on it. Static strings, never NULL."""
def delassus_text(method: DelassusMethod | str) -> str:
    """Name of a method, and one phrase on it. Static strings, never NULL."""
def delassus_needs_aba(method: DelassusMethod | str) -> bool:
    """True if a method requires heft_dynamics_aba() at the same q; false if it requires heft_dynamics_crba() and heft_dynamics_factor()."""
def local_model_force(model: LocalModel, now_ns: int, handle: DeviceSample) -> DeviceForce:
    """The force of a model on a handle at `now`. For at most 20 ms the anchor continues with its velocity, and moves by its mobility if the force has changed."""
def local_moved(model: LocalModel, now_ns: int) -> Spatial:
    """Rotation and displacement of the surface or the grasped frame up to `now` [rad, m]: `moved`, continued with the anchor's velocity as heft_local_model_force() continues it."""
def mapping_apply(mapping: Mapping, sample: DeviceSample) -> ProbeInput:
    """Maps a sample to the world. While the clutch is pressed the probe does not move and is not present."""
def mapping_force(mapping: Mapping, in_world: DeviceForce) -> DeviceForce:
    """Maps a force in the world to the hand."""
def probe_mode_name(mode: ProbeMode | str) -> str:
    """Name of a mode. Static string, never NULL."""
def coupling_damping(mass: float, stiffness: float) -> float:
    """The damping of a coupling by [Chardonnet 2012]: k_v = sqrt(2 m k_p) [N s/m]."""
def gesture_name(gesture: Gesture | str) -> str:
    """Name of a gesture. Static string, never NULL."""
def gesture_step(def_: GestureDef, state: GestureState, force: ArrayLike, dt: float) -> Gesture:
    """One step with the force of the user. Returns the gesture recognised in this step, or NONE."""
def mjcf_attribute_count() -> int:
    """Number of attributes."""
def mjcf_attribute(i: int) -> MjcfAttribute:
    """Stores attribute i in out, 0 <= i < heft_mjcf_attribute_count(). HEFT_ERR_ARGUMENT for another i."""
def mjcf_custom_count() -> int:
    """Number of elements of <custom>."""
def mjcf_custom(i: int) -> MjcfCustom:
    """Stores row i in out, 0 <= i < heft_mjcf_custom_count(). HEFT_ERR_ARGUMENT for another i."""
def sin(x: float) -> float:
    """Sine and cosine of any finite angle [rad], however large."""
def cos(x: float) -> float:
    """Sine and cosine of any finite angle [rad], however large."""
def sincos(x: float) -> tuple[float, float]:
    """Both with one call; equal bits."""
def atan2(y: float, x: float) -> float:
    """Angle of the point (x, y) in [-π, π]; signed zeros and infinities as in the C standard."""
def asin(x: float) -> float:
    """Angles in [-π/2, π/2] and [0, π]; NaN outside of -1 <= x <= 1."""
def acos(x: float) -> float:
    """Angles in [-π/2, π/2] and [0, π]; NaN outside of -1 <= x <= 1."""
def exp(x: float) -> float:
    """eˣ, down to the subnormal numbers and up to infinity."""
def log(x: float) -> float:
    """Natural logarithm; -infinity at zero, NaN below."""
def vec3_normalize(a: ArrayLike) -> NDArray[Any]:
    """a / |a|, of any finite length; the zero vector stays zero."""
def vec3_tangents(n: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two unit vectors that make (n, t1, t2) a right-handed frame, for a unit vector n; continuous in n except where n.z changes its sign."""
def mat3_from_columns(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> NDArray[Any]:
    """The matrix with these columns."""
def mat3_transpose(a: ArrayLike) -> NDArray[Any]:
    """aᵀ: the inverse of a rotation."""
def mat3_mul(a: ArrayLike, b: ArrayLike) -> NDArray[Any]:
    """a b."""
def mat3_skew(v: ArrayLike) -> NDArray[Any]:
    """[v]× with [v]× w = v × w."""
def mat3_determinant(a: ArrayLike) -> float:
    """[v]× with [v]× w = v × w."""
def quat_mul(a: ArrayLike, b: ArrayLike) -> NDArray[Any]:
    """a b: first b turns, then a."""
def quat_normalize(q: ArrayLike) -> NDArray[Any]:
    """q / |q|, of any finite length; the zero quaternion becomes the identity."""
def quat_rotate(q: ArrayLike, v: ArrayLike) -> NDArray[Any]:
    """q / |q|, of any finite length; the zero quaternion becomes the identity."""
def quat_to_mat3(q: ArrayLike) -> NDArray[Any]:
    """The rotation matrix of a unit quaternion."""
def quat_from_mat3(r: ArrayLike) -> NDArray[Any]:
    """The unit quaternion of a rotation matrix, w >= 0."""
def quat_from_axis_angle(axis: ArrayLike, angle: float) -> NDArray[Any]:
    """Rotation by `angle` about the unit vector `axis`."""
def quat_exp(v: ArrayLike) -> NDArray[Any]:
    """Rotation by |v| about v: the exponential map of SO(3)."""
def quat_log(q: ArrayLike) -> NDArray[Any]:
    """The shortest v with heft_quat_exp(v) = ±q, |v| <= π: the logarithm."""
def quat_between(a: ArrayLike, b: ArrayLike) -> NDArray[Any]:
    """The shortest rotation that turns the direction a to the direction b."""
def pose_mul(outer: Pose, inner: Pose) -> Pose:
    """The pose of the inner frame seen from outside of the outer one: outer ∘ inner."""
def pose_inverse(x: Pose) -> Pose:
    """The pose of the inner frame seen from outside of the outer one: outer ∘ inner."""
def spatial_cross_motion(a: Spatial, b: Spatial) -> Spatial:
    """a × b for two motions."""
def spatial_cross_force(a: Spatial, f: Spatial) -> Spatial:
    """a ×* f for a motion and a force."""
def spatial_move_motion(motion: Spatial, offset: ArrayLike) -> Spatial:
    """A motion, described at a point that lies `offset` from the old one."""
def spatial_move_force(force: Spatial, offset: ArrayLike) -> Spatial:
    """A force, described at a point that lies `offset` from the old one."""
def sym3_mul_vec(a: ArrayLike, v: ArrayLike) -> NDArray[Any]:
    """a v."""
def sym3_add(a: ArrayLike, b: ArrayLike) -> NDArray[Any]:
    """a + b."""
def sym3_rotate(a: ArrayLike, r: ArrayLike) -> NDArray[Any]:
    """r a rᵀ."""
def sym3_eigen(a: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Eigenvalues in descending order and the rotation whose columns are the eigenvectors: a = r diag(e) rᵀ."""
def sym3_point_mass(mass: float, d: ArrayLike) -> NDArray[Any]:
    """mass (|d|² 1 - d dᵀ): what a point mass at d adds about the origin."""
def inertia_transform(inertia: Inertia, pose: Pose) -> Inertia:
    """The inertia seen from a frame in which its old frame has this pose."""
def inertia_add(a: Inertia, b: Inertia) -> Inertia:
    """Two bodies as one, both given in the same frame."""
def inertia_mul(inertia: Inertia, motion: Spatial) -> Spatial:
    """Momentum at the frame's origin of a body that moves with `motion` (given at the frame's origin)."""
def joint_type_name(type: JointType | str) -> str:
    """Name of a type of joint, the number of its coordinates in q, and the number of its degrees of freedom."""
def joint_type_q_count(type: JointType | str) -> int:
    """Name of a type of joint, the number of its coordinates in q, and the number of its degrees of freedom."""
def joint_type_dof_count(type: JointType | str) -> int:
    """Name of a type of joint, the number of its coordinates in q, and the number of its degrees of freedom."""
def shape_type_name(type: ShapeType | str) -> str:
    """Name of a type of shape. Static string, never NULL."""
def sensor_type_name(type: SensorType | str) -> str:
    """Name of a type of sensor, the number of its values, and the kind of object that it measures."""
def sensor_type_value_count(type: SensorType | str) -> int:
    """Name of a type of sensor, the number of its values, and the kind of object that it measures."""
def sensor_type_object(type: SensorType | str) -> SensorObject:
    """Name of a type of sensor, the number of its values, and the kind of object that it measures."""
def field_type_name(type: FieldType | str) -> str:
    """'' if there is no such type."""
def field_parameter(type: FieldType | str, i: int) -> str:
    """Name of number i of a distance shape, as in model files; '' if it has fewer."""
def field_check(field: Field) -> None:
    """HEFT_OK if the numbers describe a shape. error may be NULL."""
def field_distance(field: Field, p: ArrayLike) -> tuple[float, NDArray[Any]]:
    """The distance of a point from the surface, negative inside, where the gradient has the length 1; elsewhere, the value over the length of the gradient is its first approximation [m]."""
def field_bounds(field: Field) -> tuple[NDArray[Any], NDArray[Any]]:
    """A box that holds the solid."""
def field_triangles_effort(field: Field, spacing: float) -> float:
    """Cells that heft_field_triangles() looks at: its effort, for a limit of one's own."""
def model_array_count() -> int:
    """Number of arrays of every model."""
def model_array_find(name: str) -> int:
    """Index of the array with this name, -1 if there is none."""
def model_size_count() -> int:
    """Number of sizes of every model."""
def q_integrate(model: Model, q: ArrayLike, v: ArrayLike, dt: float) -> NDArray[Any]:
    """q ⊕ v dt: coordinates after moving with the constant velocity v for dt; exact on rotations. out may be q."""
def q_difference(model: Model, q0: ArrayLike, q1: ArrayLike) -> NDArray[Any]:
    """Velocity that leads from q0 to q1 in unit time: q1 = q0 ⊕ out (nv)."""
def q_normalize(model: Model, q: ArrayLike) -> NDArray[Any]:
    """Normalises all quaternions in q to unit length."""
def abi_version() -> int:
    """HEFT_ABI_VERSION of the library that is loaded. A program whose own HEFT_ABI_VERSION differs must not exchange structs with this library."""
def integrator_name(integrator: Integrator | str) -> str:
    """Name of an integrator. Static string, never NULL."""
def contact_model_name(model: ContactModel | str) -> str:
    """Name of a contact model, and one phrase on it. Static strings, never NULL."""
def contact_model_meaning(model: ContactModel | str) -> str:
    """Name of a contact model, and one phrase on it. Static strings, never NULL."""
def contact_model_find(word: str) -> ContactModel:
    """Finds a contact model by its name. HEFT_ERR_NAME: there is none; the message lists the names."""
def contact_options_set(name: str, value: float) -> ContactOptions:
    """Sets an option by its name. HEFT_ERR_NAME: no option has this name; HEFT_ERR_VALUE: the value is outside its range. The message states what is allowed; options then stay as they were."""
def step_status_text(status: StepStatus | str) -> str:
    """A phrase on a status. Static string, never NULL."""
def step_taken(status: StepStatus | str) -> bool:
    """Whether a step with this status moved the world; false if it was rolled back."""
def step_quantity_status(quantity: StepQuantity | str) -> StepStatus:
    """The status of a step that exceeds the bound of a quantity."""
def step_quantity_place(quantity: StepQuantity | str) -> Named:
    """The kind of objects that HeftStepError::place counts; HEFT_NAMED_COUNT: it has no place."""
def step_report_worst(report: StepReport) -> StepQuantity:
    """The quantity that decides the status of a step: among those with this status, the one that is farthest above its bound. HEFT_QUANTITY_COUNT: none, the step is solved or was not judged by a bound."""
def step_tally_add(tally: StepTally, report: StepReport) -> None:
    """Counts a step."""
def contact_state_name(state: ContactState | str) -> str:
    """Name of a state. Static string, never NULL."""
def constraint_kind_name(kind: ConstraintKind | str) -> str:
    """Name of a kind of constraint. Static string, never NULL."""
def contact_shape_name(shape: ContactShape | str) -> str:
    """Name of a shape of contact. Static string, never NULL."""

class Change:
    """A change of a running world, as plain data that can be recorded and repeated."""
    def __init__(self, *, kind: ChangeKind | str = ..., index: int = ..., value: float = ..., pos: ArrayLike = ..., name: str = ..., file: str = ...) -> None: ...
    @property
    def kind(self) -> ChangeKind:
        """"""
    @kind.setter
    def kind(self, value: ChangeKind | str) -> None: ...
    @property
    def index(self) -> int:
        """what is changed or removed; see HEFT_CHANGE_LIST"""
    @index.setter
    def index(self, value: int) -> None: ...
    @property
    def value(self) -> float:
        """of a parameter; box: half of its edge, ball: radius [m]"""
    @value.setter
    def value(self, value: float) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """of a new object [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def name(self) -> str:
        """of a new object; file: in front of the names of its parts, with a '/'"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def file(self) -> str:
        """file: where it is, for programs that load it again"""
    @file.setter
    def file(self, value: str) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ColliderDef:
    """Settings of a collider."""
    def __init__(self, *, contact_capacity: int = ..., pair_capacity: int = ..., margin: float = ..., points: int = ..., parent_child: bool = ...) -> None: ...
    @property
    def contact_capacity(self) -> int:
        """max number of contact points; 0: from the model"""
    @contact_capacity.setter
    def contact_capacity(self, value: int) -> None: ...
    @property
    def pair_capacity(self) -> int:
        """max number of pairs with overlapping boxes; 0: from the model's size"""
    @pair_capacity.setter
    def pair_capacity(self, value: int) -> None: ...
    @property
    def margin(self) -> float:
        """distance added to the margins of the shapes [m], >= 0"""
    @margin.setter
    def margin(self, value: float) -> None: ...
    @property
    def points(self) -> int:
        """max number of points per pair of convex shapes: 4 or 8"""
    @points.setter
    def points(self, value: int) -> None: ...
    @property
    def parent_child(self) -> bool:
        """true: shapes of a link and of its parent link collide too"""
    @parent_child.setter
    def parent_child(self, value: bool) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ContactPoint:
    """One contact point. Body a comes before body b."""
    def __init__(self, *, shape_a: int = ..., shape_b: int = ..., body_a: int = ..., body_b: int = ..., link_a: int = ..., link_b: int = ..., dim: int = ..., pair: int = ..., pos: ArrayLike = ..., normal: ArrayLike = ..., tangent1: ArrayLike = ..., tangent2: ArrayLike = ..., gap: float = ..., friction: float = ..., kinetic: float = ..., torsion: float = ..., rolling: float = ..., restitution: float = ..., feature: int = ..., anisotropy: float = ..., time: float = ..., offset: ArrayLike = ..., area: float = ...) -> None: ...
    @property
    def shape_a(self) -> int:
        """shapes of the model"""
    @shape_a.setter
    def shape_a(self, value: int) -> None: ...
    @property
    def shape_b(self) -> int:
        """shapes of the model"""
    @shape_b.setter
    def shape_b(self, value: int) -> None: ...
    @property
    def body_a(self) -> int:
        """their bodies"""
    @body_a.setter
    def body_a(self, value: int) -> None: ...
    @property
    def body_b(self) -> int:
        """their bodies"""
    @body_b.setter
    def body_b(self, value: int) -> None: ...
    @property
    def link_a(self) -> int:
        """their links: bodies welded together are one link; 0: static or moved"""
    @link_a.setter
    def link_a(self, value: int) -> None: ...
    @property
    def link_b(self) -> int:
        """their links: bodies welded together are one link; 0: static or moved"""
    @link_b.setter
    def link_b(self, value: int) -> None: ...
    @property
    def dim(self) -> int:
        """1 frictionless, 3 sliding, 4 torsional too, 6 rolling too"""
    @dim.setter
    def dim(self, value: int) -> None: ...
    @property
    def pair(self) -> int:
        """contact pair of the model that defines it, or -1"""
    @pair.setter
    def pair(self, value: int) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """halfway between the two surfaces [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def normal(self) -> NDArray[Any]:
        """unit, from a to b"""
    @normal.setter
    def normal(self, value: ArrayLike) -> None: ...
    @property
    def tangent1(self) -> NDArray[Any]:
        """unit; a smooth function of the normal; turns with shape a, unless both are spheres"""
    @tangent1.setter
    def tangent1(self, value: ArrayLike) -> None: ...
    @property
    def tangent2(self) -> NDArray[Any]:
        """normal × tangent1"""
    @tangent2.setter
    def tangent2(self, value: ArrayLike) -> None: ...
    @property
    def gap(self) -> float:
        """distance along the normal; negative: depth [m]"""
    @gap.setter
    def gap(self, value: float) -> None: ...
    @property
    def friction(self) -> float:
        """Coulomb coefficients"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def kinetic(self) -> float:
        """Coulomb coefficients"""
    @kinetic.setter
    def kinetic(self, value: float) -> None: ...
    @property
    def torsion(self) -> float:
        """[m]"""
    @torsion.setter
    def torsion(self, value: float) -> None: ...
    @property
    def rolling(self) -> float:
        """[m]"""
    @rolling.setter
    def rolling(self, value: float) -> None: ...
    @property
    def restitution(self) -> float:
        """0 to 1"""
    @restitution.setter
    def restitution(self, value: float) -> None: ...
    @property
    def feature(self) -> int:
        """which feature of shape a meets which of b; the same while they meet"""
    @feature.setter
    def feature(self, value: int) -> None: ...
    @property
    def anisotropy(self) -> float:
        """coefficients along tangent2 are these times those along tangent1; 1 unless a contact pair has pair_friction2"""
    @anisotropy.setter
    def anisotropy(self, value: float) -> None: ...
    @property
    def time(self) -> float:
        """share of the step after which the shapes meet, if a world found that they meet at speed; 0: they are close now"""
    @time.setter
    def time(self, value: float) -> None: ...
    @property
    def offset(self) -> NDArray[Any]:
        """if time > 0: from the point of a that will meet b to the point of b that will meet a, with pos halfway between them; otherwise zero [m]"""
    @offset.setter
    def offset(self, value: ArrayLike) -> None: ...
    @property
    def area(self) -> float:
        """of the part of a patch that it represents, if a material has area contact (material_area); otherwise 0 [m²]"""
    @area.setter
    def area(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class QueryFilter:
    """Shapes that a query includes: those with (shape_category & category) != 0; category 0: all that can collide. except_body: a body whose shapes are skipped, or -1."""
    def __init__(self, *, category: int = ..., except_body: int = ...) -> None: ...
    @property
    def category(self) -> int:
        """bits of shape_category; 0: all"""
    @category.setter
    def category(self, value: int) -> None: ...
    @property
    def except_body(self) -> int:
        """a body that is skipped; -1: none"""
    @except_body.setter
    def except_body(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class RayHit:
    """Where a ray meets a shape."""
    def __init__(self, *, shape: int = ..., body: int = ..., distance: float = ..., pos: ArrayLike = ..., normal: ArrayLike = ...) -> None: ...
    @property
    def shape(self) -> int:
        """-1: nothing"""
    @shape.setter
    def shape(self, value: int) -> None: ...
    @property
    def body(self) -> int:
        """body of the shape"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def distance(self) -> float:
        """along the ray [m]"""
    @distance.setter
    def distance(self, value: float) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """where it enters [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def normal(self) -> NDArray[Any]:
        """of the surface, outward"""
    @normal.setter
    def normal(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ClosestPoint:
    """The point of a surface that is closest to a given one."""
    def __init__(self, *, shape: int = ..., body: int = ..., distance: float = ..., pos: ArrayLike = ..., normal: ArrayLike = ...) -> None: ...
    @property
    def shape(self) -> int:
        """-1: nothing within max_distance"""
    @shape.setter
    def shape(self, value: int) -> None: ...
    @property
    def body(self) -> int:
        """body of the shape"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def distance(self) -> float:
        """to the surface; negative inside (not for triangles) [m]"""
    @distance.setter
    def distance(self, value: float) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """on the surface [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def normal(self) -> NDArray[Any]:
        """of the surface, outward"""
    @normal.setter
    def normal(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Distance:
    """Distance of two shapes, and where it is measured."""
    def __init__(self, *, distance: float = ..., on_a: ArrayLike = ..., on_b: ArrayLike = ..., normal: ArrayLike = ...) -> None: ...
    @property
    def distance(self) -> float:
        """negative: depth; infinite for kinds that have none [m]"""
    @distance.setter
    def distance(self, value: float) -> None: ...
    @property
    def on_a(self) -> NDArray[Any]:
        """closest points, or deepest ones [m]"""
    @on_a.setter
    def on_a(self, value: ArrayLike) -> None: ...
    @property
    def on_b(self) -> NDArray[Any]:
        """closest points, or deepest ones [m]"""
    @on_b.setter
    def on_b(self, value: ArrayLike) -> None: ...
    @property
    def normal(self) -> NDArray[Any]:
        """unit, from a to b"""
    @normal.setter
    def normal(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ConstraintBlock:
    """One constraint block: its type, its material and its effectors."""
    def __init__(self, *, type: ConstraintType | str = ..., row: int = ..., effector: ArrayLike = ..., mu: float = ..., mu_static: float = ..., mu_roll: float = ..., mu_spin: float = ..., lower: float = ..., upper: float = ...) -> None: ...
    @property
    def type(self) -> ConstraintType:
        """"""
    @type.setter
    def type(self, value: ConstraintType | str) -> None: ...
    @property
    def row(self) -> int:
        """its first row in all row arrays; blocks follow each other without gaps"""
    @row.setter
    def row(self, value: int) -> None: ...
    @property
    def effector(self) -> NDArray[Any]:
        """its two effectors, -1 for a static side; unused (-1) with an explicit operator"""
    @effector.setter
    def effector(self, value: ArrayLike) -> None: ...
    @property
    def mu(self) -> float:
        """coefficient of (kinetic) friction, 0 or 1e-100 to 1e6, as all of them"""
    @mu.setter
    def mu(self, value: float) -> None: ...
    @property
    def mu_static(self) -> float:
        """coefficient of static friction; 0 or less than mu: the same as mu"""
    @mu_static.setter
    def mu_static(self, value: float) -> None: ...
    @property
    def mu_roll(self) -> float:
        """rolling friction: |torque impulse| <= mu_roll r_n [m]"""
    @mu_roll.setter
    def mu_roll(self, value: float) -> None: ...
    @property
    def mu_spin(self) -> float:
        """torsional friction: |torque impulse| <= mu_spin r_n [m]"""
    @mu_spin.setter
    def mu_spin(self, value: float) -> None: ...
    @property
    def lower(self) -> float:
        """HEFT_CONSTRAINT_BOX: min impulse, usually <= 0 [N s]"""
    @lower.setter
    def lower(self, value: float) -> None: ...
    @property
    def upper(self) -> float:
        """HEFT_CONSTRAINT_BOX: max impulse, >= lower [N s]"""
    @upper.setter
    def upper(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ContactTree:
    """Coupled effectors: a single free body (one effector), or the contacting links of one mechanism."""
    def __init__(self, *, effector_first: int = ..., effector_count: int = ..., omega: int = ..., dof_count: int = ...) -> None: ...
    @property
    def effector_first(self) -> int:
        """effectors effector_first .. effector_first + effector_count - 1 belong to it"""
    @effector_first.setter
    def effector_first(self, value: int) -> None: ...
    @property
    def effector_count(self) -> int:
        """>= 1"""
    @effector_count.setter
    def effector_count(self, value: int) -> None: ...
    @property
    def omega(self) -> int:
        """where its matrix starts in HeftContactProblem::omega"""
    @omega.setter
    def omega(self, value: int) -> None: ...
    @property
    def dof_count(self) -> int:
        """0: that matrix is Ω. Otherwise its degrees of freedom: the matrix is a factor F of Ω = F Fᵀ, and the problem is solved in joint space, with fewer unknowns. All trees of a problem have a factor, or none has"""
    @dof_count.setter
    def dof_count(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ContactCertificate:
    """Error of impulses against the exact law, recomputed from the problem by code that shares nothing with the solvers. residual is zero if and only if the solution is exact."""
    def __init__(self, *, residual: float = ..., relative: float = ..., normal: float = ..., cone: float = ..., complementarity: float = ..., slip_angle: float = ..., momentum: float = ..., energy_change: float = ..., yield_: float = ..., worst: int = ..., finite: bool = ...) -> None: ...
    @property
    def residual(self) -> float:
        """largest w_i |r_i - P_K(r_i - û_i / w_i)|, w_i = trace(W_ii) / rows [m/s]"""
    @residual.setter
    def residual(self, value: float) -> None: ...
    @property
    def relative(self) -> float:
        """residual / max(velocity_scale, largest |b_i|) [1]"""
    @relative.setter
    def relative(self, value: float) -> None: ...
    @property
    def normal(self) -> float:
        """largest approach velocity, max(-u_n, 0) [m/s]"""
    @normal.setter
    def normal(self, value: float) -> None: ...
    @property
    def cone(self) -> float:
        """largest violation of the cone, max(|r_t| - µ r_n, -r_n, 0) [N s]"""
    @cone.setter
    def cone(self, value: float) -> None: ...
    @property
    def complementarity(self) -> float:
        """largest |r_i · û_i| [J]"""
    @complementarity.setter
    def complementarity(self, value: float) -> None: ...
    @property
    def slip_angle(self) -> float:
        """largest angle between friction and the negative slip velocity, over all slipping contacts [rad]"""
    @slip_angle.setter
    def slip_angle(self, value: float) -> None: ...
    @property
    def momentum(self) -> float:
        """largest |W r + b - u| for the given velocities; 0 without them [m/s]"""
    @momentum.setter
    def momentum(self, value: float) -> None: ...
    @property
    def energy_change(self) -> float:
        """kinetic energy added by the impulses: r · (b + W r / 2) [J]; <= 0 for e = 0"""
    @energy_change.setter
    def energy_change(self, value: float) -> None: ...
    @property
    def yield_(self) -> float:
        """largest velocity that compliance adds [m/s]"""
    @yield_.setter
    def yield_(self, value: float) -> None: ...
    @property
    def worst(self) -> int:
        """the contact with the largest residual, -1 if there is none"""
    @worst.setter
    def worst(self, value: int) -> None: ...
    @property
    def finite(self) -> bool:
        """false if a number is not finite; the other fields are then infinite"""
    @finite.setter
    def finite(self, value: bool) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ContactSolverDef:
    """Sizes and settings of a solver."""
    def __init__(self, *, constraint_capacity: int = ..., row_capacity: int = ..., block_capacity: int = ..., effector_capacity: int = ..., tree_effector_capacity: int = ..., omega_capacity: int = ..., factor_bytes: int = ..., method: ContactMethod | str = ..., proximal: float = ...) -> None: ...
    @property
    def constraint_capacity(self) -> int:
        """max number of constraint blocks, 1 .. 1,000,000"""
    @constraint_capacity.setter
    def constraint_capacity(self, value: int) -> None: ...
    @property
    def row_capacity(self) -> int:
        """rows; 0: 3 per contact"""
    @row_capacity.setter
    def row_capacity(self, value: int) -> None: ...
    @property
    def block_capacity(self) -> int:
        """explicit blocks; 0: problems by effectors only"""
    @block_capacity.setter
    def block_capacity(self, value: int) -> None: ...
    @property
    def effector_capacity(self) -> int:
        """max number of effectors; 0: explicit problems only. With block_capacity the solver reconstructs the bodies of explicit blocks, which count as effectors"""
    @effector_capacity.setter
    def effector_capacity(self, value: int) -> None: ...
    @property
    def tree_effector_capacity(self) -> int:
        """max number of effectors of one tree, >= 1"""
    @tree_effector_capacity.setter
    def tree_effector_capacity(self, value: int) -> None: ...
    @property
    def omega_capacity(self) -> int:
        """max of Σ (6 effectors)² over the trees of a problem that have more than one effector; 0: as if all were as large as allowed"""
    @omega_capacity.setter
    def omega_capacity(self, value: int) -> None: ...
    @property
    def factor_bytes(self) -> int:
        """memory for the Newton factor beside what a problem below the capacities leaves; 0: 1 MB and 16 KB per contact (64 KB with explicit blocks); if it does not suffice, there is no Newton phase"""
    @factor_bytes.setter
    def factor_bytes(self, value: int) -> None: ...
    @property
    def method(self) -> ContactMethod:
        """"""
    @method.setter
    def method(self, value: ContactMethod | str) -> None: ...
    @property
    def proximal(self) -> float:
        """κ: block-proximal term relative to w_i, 0.001 .. 1"""
    @proximal.setter
    def proximal(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ContactTermination:
    """Conditions of termination: a solve ends at the first that holds."""
    def __init__(self, *, tolerance: float = ..., effort_max: int = ..., polish: int = ..., deadline_ns: int = ..., effort_min: int = ...) -> None: ...
    @property
    def tolerance(self) -> float:
        """relative residual (HeftContactCertificate::relative)"""
    @tolerance.setter
    def tolerance(self, value: float) -> None: ...
    @property
    def effort_max(self) -> int:
        """max effort: one unit per sweep, several per Newton step; 0: the effort beyond which a problem of its kind gains little; negative: no effort, the better of warm impulses and zero is returned"""
    @effort_max.setter
    def effort_max(self, value: int) -> None: ...
    @property
    def polish(self) -> int:
        """effort that may be spent after the tolerance is met, until the residual is at rounding level or constant: resting bodies reach exact rest; 0: none"""
    @polish.setter
    def polish(self, value: int) -> None: ...
    @property
    def deadline_ns(self) -> int:
        """heft_clock_ns() at which the solve must have ended; 0: none. A unit of effort that would last longer is not started"""
    @deadline_ns.setter
    def deadline_ns(self, value: int) -> None: ...
    @property
    def effort_min(self) -> int:
        """effort that is spent in spite of the deadline"""
    @effort_min.setter
    def effort_min(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ContactResult:
    """Report of a solve."""
    def __init__(self, *, status: ContactSolveStatus | str = ..., relative: float = ..., effort: int = ..., sweeps: int = ..., newton_steps: int = ..., accelerations: int = ..., clamp: float = ..., start: float = ..., search_ns: int = ..., displacement: float = ..., equal: int = ..., not_unique: int = ...) -> None: ...
    @property
    def status(self) -> ContactSolveStatus:
        """"""
    @status.setter
    def status(self, value: ContactSolveStatus | str) -> None: ...
    @property
    def relative(self) -> float:
        """relative residual of the impulses, computed by the solver"""
    @relative.setter
    def relative(self, value: float) -> None: ...
    @property
    def effort(self) -> int:
        """effort spent, including polish; to repeat a solve with a deadline, set effort_max to it (0: to -1)"""
    @effort.setter
    def effort(self, value: int) -> None: ...
    @property
    def sweeps(self) -> int:
        """Gauss-Seidel sweeps"""
    @sweeps.setter
    def sweeps(self, value: int) -> None: ...
    @property
    def newton_steps(self) -> int:
        """Newton steps"""
    @newton_steps.setter
    def newton_steps(self, value: int) -> None: ...
    @property
    def accelerations(self) -> int:
        """accepted extrapolations"""
    @accelerations.setter
    def accelerations(self, value: int) -> None: ...
    @property
    def clamp(self) -> float:
        """factor of the passivity clamp, 0 to 1; 1: not applied"""
    @clamp.setter
    def clamp(self, value: float) -> None: ...
    @property
    def start(self) -> float:
        """relative residual of the warm impulses; 0 if there are none"""
    @start.setter
    def start(self, value: float) -> None: ...
    @property
    def search_ns(self) -> int:
        """time of the search [ns]; 0 without a deadline"""
    @search_ns.setter
    def search_ns(self, value: int) -> None: ...
    @property
    def displacement(self) -> float:
        """max displacement of an impulse from its warm value, times w_i, relative as `start`"""
    @displacement.setter
    def displacement(self, value: float) -> None: ...
    @property
    def equal(self) -> int:
        """1: the solution of equal compliance (docs/theory/contact.md, section 8), a function of the problem without its warm impulses; 0: some solution"""
    @equal.setter
    def equal(self, value: int) -> None: ...
    @property
    def not_unique(self) -> int:
        """1: another motion obeys the law, too; 0: none was found"""
    @not_unique.setter
    def not_unique(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class WholeBodyDef:
    """Settings of a whole-body controller."""
    def __init__(self, *, root: int = ..., contact_capacity: int = ..., force_weight: float = ..., regularisation: float = ...) -> None: ...
    @property
    def root(self) -> int:
        """body at the root of the robot's tree; -1: the first with a free joint"""
    @root.setter
    def root(self, value: int) -> None: ...
    @property
    def contact_capacity(self) -> int:
        """max number of contacts of a problem, >= 0"""
    @contact_capacity.setter
    def contact_capacity(self, value: int) -> None: ...
    @property
    def force_weight(self) -> float:
        """cost of a squared contact force [1/N²], > 0; distributes the load"""
    @force_weight.setter
    def force_weight(self, value: float) -> None: ...
    @property
    def regularisation(self) -> float:
        """weight of all joint accelerations, > 0; keeps the problem well posed"""
    @regularisation.setter
    def regularisation(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Gain:
    """Gains of a task: task acceleration = acceleration + kv (velocity error) + kp (position error)."""
    def __init__(self, *, kp: float = ..., kv: float = ..., weight: float = ...) -> None: ...
    @property
    def kp(self) -> float:
        """[1/s²], [1/s]"""
    @kp.setter
    def kp(self, value: float) -> None: ...
    @property
    def kv(self) -> float:
        """[1/s²], [1/s]"""
    @kv.setter
    def kv(self, value: float) -> None: ...
    @property
    def weight(self) -> float:
        """of the task among all; 0: none [1]"""
    @weight.setter
    def weight(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class FootGoal:
    """Target pose and motion of a foot, in the world. Frame of the foot: origin in the middle of the lower side of the sole, z up."""
    def __init__(self, *, pos: ArrayLike = ..., velocity: ArrayLike = ..., acceleration: ArrayLike = ..., quat: ArrayLike = ..., load: float = ...) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """position [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def velocity(self) -> NDArray[Any]:
        """[m/s]"""
    @velocity.setter
    def velocity(self, value: ArrayLike) -> None: ...
    @property
    def acceleration(self) -> NDArray[Any]:
        """[m/s²]"""
    @acceleration.setter
    def acceleration(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def load(self) -> float:
        """0: swing foot; 0 < load <= 1: stance foot, with this share of the full load"""
    @load.setter
    def load(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Load:
    """A known force [N] and torque [N m] on the robot."""
    def __init__(self, *, body: int = ..., point: ArrayLike = ..., force: ArrayLike = ..., torque: ArrayLike = ...) -> None: ...
    @property
    def body(self) -> int:
        """on which it acts"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def point(self) -> NDArray[Any]:
        """in the world [m]"""
    @point.setter
    def point(self, value: ArrayLike) -> None: ...
    @property
    def force(self) -> NDArray[Any]:
        """in the world [N]"""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    @property
    def torque(self) -> NDArray[Any]:
        """in the world [N m]"""
    @torque.setter
    def torque(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Support:
    """A support besides the feet: a point at which the robot may push against the environment."""
    def __init__(self, *, body: int = ..., point: ArrayLike = ..., normal: ArrayLike = ..., friction: float = ..., share: float = ...) -> None: ...
    @property
    def body(self) -> int:
        """that is supported"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def point(self) -> NDArray[Any]:
        """in the world [m]"""
    @point.setter
    def point(self, value: ArrayLike) -> None: ...
    @property
    def normal(self) -> NDArray[Any]:
        """unit, in the world; points into the robot"""
    @normal.setter
    def normal(self, value: ArrayLike) -> None: ...
    @property
    def friction(self) -> float:
        """as heft_whole_body_add_contact() [1]"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def share(self) -> float:
        """as heft_whole_body_add_contact() [1]"""
    @share.setter
    def share(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class WalkDef:
    """Settings of a walk."""
    def __init__(self, *, steps: int = ..., length: float = ..., swing: float = ..., both: float = ..., lift: float = ..., start: float = ..., end: float = ..., first: int = ..., sample: float = ..., side: float = ...) -> None: ...
    @property
    def steps(self) -> int:
        """number of steps, 1 to 1000; the last one brings the feet side by side"""
    @steps.setter
    def steps(self, value: int) -> None: ...
    @property
    def length(self) -> float:
        """length of a step [m], negative: backwards; the first and the last are half as long"""
    @length.setter
    def length(self, value: float) -> None: ...
    @property
    def swing(self) -> float:
        """duration of the swing of a foot [s], > 0"""
    @swing.setter
    def swing(self, value: float) -> None: ...
    @property
    def both(self) -> float:
        """duration of double support between two steps [s], > 0"""
    @both.setter
    def both(self, value: float) -> None: ...
    @property
    def lift(self) -> float:
        """height of a swinging foot [m]"""
    @lift.setter
    def lift(self, value: float) -> None: ...
    @property
    def start(self) -> float:
        """time of standing before the first and after the last step [s], > 0"""
    @start.setter
    def start(self, value: float) -> None: ...
    @property
    def end(self) -> float:
        """time of standing before the first and after the last step [s], > 0"""
    @end.setter
    def end(self, value: float) -> None: ...
    @property
    def first(self) -> int:
        """foot of the first step: 0 left, 1 right"""
    @first.setter
    def first(self, value: int) -> None: ...
    @property
    def sample(self) -> float:
        """time between samples of the plan [s], 0 < sample <= 0.01"""
    @sample.setter
    def sample(self, value: float) -> None: ...
    @property
    def side(self) -> float:
        """sideways length of a step, to the left [m]; feet must not meet"""
    @side.setter
    def side(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Drive:
    """A geared motor with a servo on its own side: [Chardonnet 2012], Eq. 22, with friction that resists."""
    def __init__(self, *, gear: float = ..., kp: float = ..., kv: float = ..., rotor_inertia: float = ..., viscous: float = ..., dry: float = ..., dry_speed: float = ..., limit: float = ...) -> None: ...
    @property
    def gear(self) -> float:
        """R: turns of the motor per turn of the joint, times the efficiency"""
    @gear.setter
    def gear(self, value: float) -> None: ...
    @property
    def kp(self) -> float:
        """gains of the servo on the motor side [N m/rad, N m s/rad]"""
    @kp.setter
    def kp(self, value: float) -> None: ...
    @property
    def kv(self) -> float:
        """gains of the servo on the motor side [N m/rad, N m s/rad]"""
    @kv.setter
    def kv(self, value: float) -> None: ...
    @property
    def rotor_inertia(self) -> float:
        """J: inertia of the rotor [kg m²]"""
    @rotor_inertia.setter
    def rotor_inertia(self, value: float) -> None: ...
    @property
    def viscous(self) -> float:
        """μ_v at the joint [N m s/rad]"""
    @viscous.setter
    def viscous(self, value: float) -> None: ...
    @property
    def dry(self) -> float:
        """μ_d at the joint [N m]"""
    @dry.setter
    def dry(self, value: float) -> None: ...
    @property
    def dry_speed(self) -> float:
        """dry friction grows linearly up to this speed [rad/s]; 0: it is a step"""
    @dry_speed.setter
    def dry_speed(self, value: float) -> None: ...
    @property
    def limit(self) -> float:
        """max torque of the motor [N m]; 0: no limit"""
    @limit.setter
    def limit(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class PoseTarget:
    """Target of inverse kinematics: position of a point of a body, and orientation of the body."""
    def __init__(self, *, body: int = ..., point: ArrayLike = ..., pos: ArrayLike = ..., quat: ArrayLike = ..., move: ArrayLike = ..., turn: float = ...) -> None: ...
    @property
    def body(self) -> int:
        """-1: the centre of mass of the robot (only pos counts)"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def point(self) -> NDArray[Any]:
        """in the body's frame [m]"""
    @point.setter
    def point(self, value: ArrayLike) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """in the world [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """in the world"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def move(self) -> NDArray[Any]:
        """weights of the position, per axis of the world; 0: no target"""
    @move.setter
    def move(self, value: ArrayLike) -> None: ...
    @property
    def turn(self) -> float:
        """weight of the orientation; 0: no target"""
    @turn.setter
    def turn(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ComplianceDef:
    """Compliance to contact forces: M_d q̈_d + B_d q̇_d = Jᵀ f on the joints between the body in contact and the waist, with diagonal matrices ([Chardonnet 2012], Eq. 16)."""
    def __init__(self, *, waist: int = ..., inertia: float = ..., damping: float = ..., stiffness: float = ...) -> None: ...
    @property
    def waist(self) -> int:
        """body at which the chain ends; its own joints do not move"""
    @waist.setter
    def waist(self, value: int) -> None: ...
    @property
    def inertia(self) -> float:
        """M_d of every dof [kg m²], > 0; heft_compliance_set_dof() changes one"""
    @inertia.setter
    def inertia(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """B_d [N m s/rad], >= 0"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def stiffness(self) -> float:
        """towards zero offset [N m/rad]; 0: the offset stays"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ForceSensor:
    """A six-axis force sensor: a calibration matrix turns six raw values l into the external wrench, f_e = -P + G (l + d) ([Chardonnet 2012], Eq. 18-20)."""
    def __init__(self, *, matrix: ArrayLike = ..., offset: ArrayLike = ..., noise: ArrayLike = ..., quat: ArrayLike = ..., mass: float = ..., com: ArrayLike = ..., seed: int = ...) -> None: ...
    @property
    def matrix(self) -> NDArray[Any]:
        """G, row-major: force [N], then torque [N m], from the raw values"""
    @matrix.setter
    def matrix(self, value: ArrayLike) -> None: ...
    @property
    def offset(self) -> NDArray[Any]:
        """d: added, in the unit of the raw values"""
    @offset.setter
    def offset(self, value: ArrayLike) -> None: ...
    @property
    def noise(self) -> NDArray[Any]:
        """standard deviation of the raw values, in their unit"""
    @noise.setter
    def noise(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """the sensor's axes in the frame of its body"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def mass(self) -> float:
        """mass beyond the sensor, for example of a tool [kg]"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def com(self) -> NDArray[Any]:
        """centre of that mass in the sensor's frame [m]"""
    @com.setter
    def com(self, value: ArrayLike) -> None: ...
    @property
    def seed(self) -> int:
        """seed of the noise"""
    @seed.setter
    def seed(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ForcePlate:
    """Reading of a force plate under a body."""
    def __init__(self, *, force: ArrayLike = ..., center: ArrayLike = ..., twist: float = ..., loaded: bool = ...) -> None: ...
    @property
    def force(self) -> NDArray[Any]:
        """force of the plate on the body [N]"""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    @property
    def center(self) -> NDArray[Any]:
        """centre of pressure: no torque about the axes in the plate [m]"""
    @center.setter
    def center(self, value: ArrayLike) -> None: ...
    @property
    def twist(self) -> float:
        """torque about the vertical axis through center [N m]"""
    @twist.setter
    def twist(self, value: float) -> None: ...
    @property
    def loaded(self) -> bool:
        """true if the plate carries force; otherwise all fields are zero"""
    @loaded.setter
    def loaded(self, value: bool) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Butterworth:
    """A Butterworth low-pass filter of any order up to HEFT_BUTTERWORTH_ORDER_MAX, as sections of order two."""
    def __init__(self, *, sections: int = ..., b: ArrayLike = ..., a: ArrayLike = ..., z: ArrayLike = ..., fresh: bool = ...) -> None: ...
    @property
    def sections(self) -> int:
        """number of sections"""
    @sections.setter
    def sections(self, value: int) -> None: ...
    @property
    def b(self) -> NDArray[Any]:
        """numerators [1]"""
    @b.setter
    def b(self, value: ArrayLike) -> None: ...
    @property
    def a(self) -> NDArray[Any]:
        """denominators, less the leading 1 [1]"""
    @a.setter
    def a(self, value: ArrayLike) -> None: ...
    @property
    def z(self) -> NDArray[Any]:
        """state, in the unit of the values"""
    @z.setter
    def z(self, value: ArrayLike) -> None: ...
    @property
    def fresh(self) -> bool:
        """true before the first value; the filter then starts from that value"""
    @fresh.setter
    def fresh(self, value: bool) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Tetrahedra:
    """A mesh of tetrahedra. Its arrays belong to it."""
    def __init__(self, *, vertex_count: int = ..., tetrahedron_count: int = ..., memory_size: int = ...) -> None: ...
    @property
    def vertex_count(self) -> int:
        """number of vertices"""
    @vertex_count.setter
    def vertex_count(self, value: int) -> None: ...
    @property
    def tetrahedron_count(self) -> int:
        """number of tetrahedra"""
    @tetrahedron_count.setter
    def tetrahedron_count(self, value: int) -> None: ...
    @property
    def memory_size(self) -> int:
        """of both arrays [bytes]"""
    @memory_size.setter
    def memory_size(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class TetrahedraQuality:
    """Measures of a mesh."""
    def __init__(self, *, volume: float = ..., min_angle: float = ..., max_angle: float = ...) -> None: ...
    @property
    def volume(self) -> float:
        """of all tetrahedra [m³]"""
    @volume.setter
    def volume(self, value: float) -> None: ...
    @property
    def min_angle(self) -> float:
        """smallest angle between two faces of a tetrahedron [rad]"""
    @min_angle.setter
    def min_angle(self, value: float) -> None: ...
    @property
    def max_angle(self) -> float:
        """largest one [rad]"""
    @max_angle.setter
    def max_angle(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class DelassusPoint:
    """A contact point on a body, with the frame in which its forces are expressed."""
    def __init__(self, *, body: int = ..., point: ArrayLike = ..., frame: ArrayLike = ...) -> None: ...
    @property
    def body(self) -> int:
        """on which it lies"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def point(self) -> NDArray[Any]:
        """in the world [m]"""
    @point.setter
    def point(self, value: ArrayLike) -> None: ...
    @property
    def frame(self) -> NDArray[Any]:
        """columns: normal and two tangents, in the world [1]"""
    @frame.setter
    def frame(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class JointDirection:
    """A direction in the joint space of one tree: its velocity is Σ arm v; a force f on it acts as arm f on the dofs."""
    def __init__(self, *, count: int = ...) -> None: ...
    @property
    def count(self) -> int:
        """number of degrees of freedom"""
    @count.setter
    def count(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Effector:
    """An effector: the moving side of a constraint. It is the spatial velocity of a body, or up to six joint velocities, or up to six directions in joint space."""
    def __init__(self, *, body: int = ..., dof_count: int = ..., dof: ArrayLike = ..., direction_count: int = ...) -> None: ...
    @property
    def body(self) -> int:
        """a body: its spatial velocity at the origin of its tree (heft_dynamics_tree_origin()); -1: dofs"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def dof_count(self) -> int:
        """dofs that follow, all of one tree"""
    @dof_count.setter
    def dof_count(self, value: int) -> None: ...
    @property
    def dof(self) -> NDArray[Any]:
        """their indices"""
    @dof.setter
    def dof(self, value: ArrayLike) -> None: ...
    @property
    def direction_count(self) -> int:
        """or directions, if there are no dofs"""
    @direction_count.setter
    def direction_count(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class DeviceSample:
    """A sample of the handle, in device coordinates."""
    def __init__(self, *, time_ns: int = ..., number: int = ..., pos: ArrayLike = ..., rot: ArrayLike = ..., vel: ArrayLike = ..., spin: ArrayLike = ..., buttons: int = ..., grip: float = ...) -> None: ...
    @property
    def time_ns(self) -> int:
        """time of the sample"""
    @time_ns.setter
    def time_ns(self, value: int) -> None: ...
    @property
    def number(self) -> int:
        """increases by one per sample; a gap is a lost sample"""
    @number.setter
    def number(self, value: int) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """[m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def rot(self) -> NDArray[Any]:
        """"""
    @rot.setter
    def rot(self, value: ArrayLike) -> None: ...
    @property
    def vel(self) -> NDArray[Any]:
        """[m/s]"""
    @vel.setter
    def vel(self, value: ArrayLike) -> None: ...
    @property
    def spin(self) -> NDArray[Any]:
        """angular velocity, in device coordinates [rad/s]"""
    @spin.setter
    def spin(self, value: ArrayLike) -> None: ...
    @property
    def buttons(self) -> int:
        """bit per button"""
    @buttons.setter
    def buttons(self, value: int) -> None: ...
    @property
    def grip(self) -> float:
        """opening of a gripper, 0 closed to 1 open [1]"""
    @grip.setter
    def grip(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class DeviceForce:
    """Force on the hand of the user."""
    def __init__(self, *, force: ArrayLike = ..., torque: ArrayLike = ..., grip: float = ...) -> None: ...
    @property
    def force(self) -> NDArray[Any]:
        """on the hand [N]"""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    @property
    def torque(self) -> NDArray[Any]:
        """[N m]"""
    @torque.setter
    def torque(self, value: ArrayLike) -> None: ...
    @property
    def grip(self) -> float:
        """closing force of a gripper [N]"""
    @grip.setter
    def grip(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ProbeInput:
    """The hand in the world: the complete input of a probe for one step."""
    def __init__(self, *, time_ns: int = ..., pos: ArrayLike = ..., rot: ArrayLike = ..., vel: ArrayLike = ..., spin: ArrayLike = ..., buttons: int = ..., present: int = ...) -> None: ...
    @property
    def time_ns(self) -> int:
        """of the sample [ns]"""
    @time_ns.setter
    def time_ns(self, value: int) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """[m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def rot(self) -> NDArray[Any]:
        """orientation"""
    @rot.setter
    def rot(self, value: ArrayLike) -> None: ...
    @property
    def vel(self) -> NDArray[Any]:
        """linear and angular velocity [m/s, rad/s]"""
    @vel.setter
    def vel(self, value: ArrayLike) -> None: ...
    @property
    def spin(self) -> NDArray[Any]:
        """linear and angular velocity [m/s, rad/s]"""
    @spin.setter
    def spin(self, value: ArrayLike) -> None: ...
    @property
    def buttons(self) -> int:
        """bits of those that are pressed"""
    @buttons.setter
    def buttons(self, value: int) -> None: ...
    @property
    def present(self) -> int:
        """0: no user; the probe is out of contact"""
    @present.setter
    def present(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Mapping:
    """How the space of a device maps to the world."""
    def __init__(self, *, center: ArrayLike = ..., origin: ArrayLike = ..., axes: ArrayLike = ..., scale: float = ..., force_scale: float = ..., clutch: int = ..., held: int = ..., held_pos: ArrayLike = ..., held_rot: ArrayLike = ..., shift_rot: ArrayLike = ...) -> None: ...
    @property
    def center(self) -> NDArray[Any]:
        """point [m] in device coordinates ..."""
    @center.setter
    def center(self, value: ArrayLike) -> None: ...
    @property
    def origin(self) -> NDArray[Any]:
        """... that maps to this point [m] of the world"""
    @origin.setter
    def origin(self, value: ArrayLike) -> None: ...
    @property
    def axes(self) -> NDArray[Any]:
        """columns: right, away, up of the user in the world, e.g. of the camera [1]"""
    @axes.setter
    def axes(self, value: ArrayLike) -> None: ...
    @property
    def scale(self) -> float:
        """metres in the world per metre of the device"""
    @scale.setter
    def scale(self, value: float) -> None: ...
    @property
    def force_scale(self) -> float:
        """newtons on the hand per newton in the world"""
    @force_scale.setter
    def force_scale(self, value: float) -> None: ...
    @property
    def clutch(self) -> int:
        """button that disengages the probe from the hand; -1: none"""
    @clutch.setter
    def clutch(self, value: int) -> None: ...
    @property
    def held(self) -> int:
        """1 while the clutch is pressed"""
    @held.setter
    def held(self, value: int) -> None: ...
    @property
    def held_pos(self) -> NDArray[Any]:
        """[m], when the clutch was pressed"""
    @held_pos.setter
    def held_pos(self, value: ArrayLike) -> None: ...
    @property
    def held_rot(self) -> NDArray[Any]:
        """"""
    @held_rot.setter
    def held_rot(self, value: ArrayLike) -> None: ...
    @property
    def shift_rot(self) -> NDArray[Any]:
        """"""
    @shift_rot.setter
    def shift_rot(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ProbeDef:
    """Settings of a probe."""
    def __init__(self, *, mode: ProbeMode | str = ..., radius: float = ..., stiffness: float = ..., damping: float = ..., rotational_stiffness: float = ..., friction: float = ..., force_max: float = ..., torque_max: float = ..., hold_button: int = ..., body: int = ..., point: ArrayLike = ...) -> None: ...
    @property
    def mode(self) -> ProbeMode:
        """"""
    @mode.setter
    def mode(self, value: ProbeMode | str) -> None: ...
    @property
    def radius(self) -> float:
        """of the proxy [m]"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def stiffness(self) -> float:
        """of the spring between hand and world [N/m]"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """on the hand [N s/m]; devices tolerate little or none"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def rotational_stiffness(self) -> float:
        """in a grasp [N m/rad]; 0: the body turns freely"""
    @rotational_stiffness.setter
    def rotational_stiffness(self, value: float) -> None: ...
    @property
    def friction(self) -> float:
        """Coulomb's coefficient; -1: the surface's"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def force_max(self) -> float:
        """of the springs [N, N m]"""
    @force_max.setter
    def force_max(self, value: float) -> None: ...
    @property
    def torque_max(self) -> float:
        """of the springs [N, N m]"""
    @torque_max.setter
    def torque_max(self, value: float) -> None: ...
    @property
    def hold_button(self) -> int:
        """touch: grasps the body in contact while pressed; -1: never"""
    @hold_button.setter
    def hold_button(self, value: int) -> None: ...
    @property
    def body(self) -> int:
        """attach: body to grasp from the start, -1: the nearest"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def point(self) -> NDArray[Any]:
        """attach: point in the frame of the body [m]"""
    @point.setter
    def point(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class GestureDef:
    """Limits that separate gestures."""
    def __init__(self, *, press_force: float = ..., release: float = ..., tap_longest: float = ..., tap_quiet: float = ..., push_shortest: float = ..., shake_force: float = ..., shake_swings: int = ..., shake_longest: float = ...) -> None: ...
    @property
    def press_force(self) -> float:
        """contact begins above the first, ends below the second [N]"""
    @press_force.setter
    def press_force(self, value: float) -> None: ...
    @property
    def release(self) -> float:
        """contact begins above the first, ends below the second [N]"""
    @release.setter
    def release(self, value: float) -> None: ...
    @property
    def tap_longest(self) -> float:
        """a contact that ends sooner is a tap [s] ..."""
    @tap_longest.setter
    def tap_longest(self, value: float) -> None: ...
    @property
    def tap_quiet(self) -> float:
        """... if no contact follows within this time [s]"""
    @tap_quiet.setter
    def tap_quiet(self, value: float) -> None: ...
    @property
    def push_shortest(self) -> float:
        """a longer contact is a push [s]"""
    @push_shortest.setter
    def push_shortest(self, value: float) -> None: ...
    @property
    def shake_force(self) -> float:
        """a swing counts if the force exceeds this in a direction [N]"""
    @shake_force.setter
    def shake_force(self, value: float) -> None: ...
    @property
    def shake_swings(self) -> int:
        """number of swings of a shake"""
    @shake_swings.setter
    def shake_swings(self, value: int) -> None: ...
    @property
    def shake_longest(self) -> float:
        """within this time [s]"""
    @shake_longest.setter
    def shake_longest(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class GestureState:
    """Plain data; zero at the start."""
    def __init__(self, *, touched: int = ..., reported: int = ..., since: float = ..., pending: int = ..., quiet: float = ..., side: int = ..., swings: int = ..., axis: int = ..., last_swing: float = ...) -> None: ...
    @property
    def touched(self) -> int:
        """1 in contact; 1 after push or shake was reported"""
    @touched.setter
    def touched(self, value: int) -> None: ...
    @property
    def reported(self) -> int:
        """1 in contact; 1 after push or shake was reported"""
    @reported.setter
    def reported(self, value: int) -> None: ...
    @property
    def since(self) -> float:
        """duration of the contact [s]"""
    @since.setter
    def since(self, value: float) -> None: ...
    @property
    def pending(self) -> int:
        """1 while a tap waits for tap_quiet"""
    @pending.setter
    def pending(self, value: int) -> None: ...
    @property
    def quiet(self) -> float:
        """time since the last contact [s]"""
    @quiet.setter
    def quiet(self, value: float) -> None: ...
    @property
    def side(self) -> int:
        """side of the last swing, number of swings, axis of the first"""
    @side.setter
    def side(self, value: int) -> None: ...
    @property
    def swings(self) -> int:
        """side of the last swing, number of swings, axis of the first"""
    @swings.setter
    def swings(self, value: int) -> None: ...
    @property
    def axis(self) -> int:
        """side of the last swing, number of swings, axis of the first"""
    @axis.setter
    def axis(self, value: int) -> None: ...
    @property
    def last_swing(self) -> float:
        """time since the last one [s]"""
    @last_swing.setter
    def last_swing(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class BehaviourInput:
    """Input of a behaviour in a step."""
    def __init__(self, *, dt: float = ..., hand: ArrayLike = ..., force: ArrayLike = ..., gesture: Gesture | str = ...) -> None: ...
    @property
    def dt(self) -> float:
        """[s]"""
    @dt.setter
    def dt(self, value: float) -> None: ...
    @property
    def hand(self) -> NDArray[Any]:
        """position of the hand [m]"""
    @hand.setter
    def hand(self, value: ArrayLike) -> None: ...
    @property
    def force(self) -> NDArray[Any]:
        """of the user on the robot [N]"""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    @property
    def gesture(self) -> Gesture:
        """recognised in this step"""
    @gesture.setter
    def gesture(self, value: Gesture | str) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class BehaviourOutput:
    """Commands of a behaviour to the robot."""
    def __init__(self, *, comply: int = ..., look: int = ..., look_at: ArrayLike = ..., nod: float = ...) -> None: ...
    @property
    def comply(self) -> int:
        """1: the loaded chain complies (heft_compliance_step())"""
    @comply.setter
    def comply(self, value: int) -> None: ...
    @property
    def look(self) -> int:
        """1: the eyes turn to look_at (heft_gaze_step())"""
    @look.setter
    def look(self, value: int) -> None: ...
    @property
    def look_at(self) -> NDArray[Any]:
        """[m]"""
    @look_at.setter
    def look_at(self, value: ArrayLike) -> None: ...
    @property
    def nod(self) -> float:
        """angle to add to the neck [rad]"""
    @nod.setter
    def nod(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class BehaviourState:
    """State of a behaviour, a finite-state machine. Plain data, zero at the start."""
    def __init__(self, *, mode: int = ..., since: float = ..., at: ArrayLike = ...) -> None: ...
    @property
    def mode(self) -> int:
        """0: idle"""
    @mode.setter
    def mode(self, value: int) -> None: ...
    @property
    def since(self) -> float:
        """time in this mode [s]"""
    @since.setter
    def since(self, value: float) -> None: ...
    @property
    def at(self) -> NDArray[Any]:
        """position of the hand at the start of the mode [m]"""
    @at.setter
    def at(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Behaviour:
    """A behaviour: one function on plain data. Programs may call their own behaviours the same way."""
    def __init__(self, *, name: str = ..., text: str = ...) -> None: ...
    @property
    def name(self) -> str:
        """one word, one phrase"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def text(self) -> str:
        """one word, one phrase"""
    @text.setter
    def text(self, value: str) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class LoadLimits:
    """Limits against files that are broken or hostile. All are inclusive. A file that exceeds one is rejected with HEFT_ERR_LIMIT and a message that names the limit. With the defaults, a load of files of 10 MB together needs about a second and at most 256 MB."""
    def __init__(self, *, file_bytes: int = ..., total_bytes: int = ..., xml_depth: int = ..., xml_attributes: int = ..., xml_elements: int = ..., name_bytes: int = ..., bodies: int = ..., mesh_triangles: int = ..., include_depth: int = ..., dofs: int = ..., mass_entries: int = ..., work: float = ...) -> None: ...
    @property
    def file_bytes(self) -> int:
        """size of one file [bytes]; default 256 MiB"""
    @file_bytes.setter
    def file_bytes(self, value: int) -> None: ...
    @property
    def total_bytes(self) -> int:
        """memory of one load with the model itself [bytes]; default 128 MiB. Each byte of the files of the load, each counted once, adds 8"""
    @total_bytes.setter
    def total_bytes(self, value: int) -> None: ...
    @property
    def xml_depth(self) -> int:
        """levels of nested elements, in all files together; readers use up to 3 kB of stack for each; default 1100, for chains of 1000 bodies"""
    @xml_depth.setter
    def xml_depth(self, value: int) -> None: ...
    @property
    def xml_attributes(self) -> int:
        """attributes of one element; default 64"""
    @xml_attributes.setter
    def xml_attributes(self, value: int) -> None: ...
    @property
    def xml_elements(self) -> int:
        """elements of all files of one load, with the copies that replicate and attach make; default 2^22"""
    @xml_elements.setter
    def xml_elements(self, value: int) -> None: ...
    @property
    def name_bytes(self) -> int:
        """length of one name [bytes]; default 255"""
    @name_bytes.setter
    def name_bytes(self, value: int) -> None: ...
    @property
    def bodies(self) -> int:
        """bodies of the model, with copies; default 2^20"""
    @bodies.setter
    def bodies(self, value: int) -> None: ...
    @property
    def mesh_triangles(self) -> int:
        """triangles or tetrahedra of one mesh; default 2,000,000"""
    @mesh_triangles.setter
    def mesh_triangles(self, value: int) -> None: ...
    @property
    def include_depth(self) -> int:
        """levels of files that include or attach files; default 8"""
    @include_depth.setter
    def include_depth(self, value: int) -> None: ...
    @property
    def dofs(self) -> int:
        """degrees of freedom of the model; default 2^23"""
    @dofs.setter
    def dofs(self, value: int) -> None: ...
    @property
    def mass_entries(self) -> int:
        """stored numbers of the mass matrix, see HeftModelLimits; default 2^25"""
    @mass_entries.setter
    def mass_entries(self, value: int) -> None: ...
    @property
    def work(self) -> float:
        """operations of one load, of about a nanosecond each; default 3e8. They are counted, not timed: the same on all machines. Each byte of the files of the load, each counted once, adds 60. INFINITY: no limit"""
    @work.setter
    def work(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Pieces:
    """Convex pieces that replace a mesh, reported once for each mesh that was cut."""
    def __init__(self, *, mesh: str = ..., triangles: int = ..., count: int = ..., vertices: int = ..., error: float = ..., excess: float = ..., missing: float = ..., opening: float = ..., effort: float = ..., cut_short: bool = ...) -> None: ...
    @property
    def mesh(self) -> str:
        """its name; valid during the call only"""
    @mesh.setter
    def mesh(self, value: str) -> None: ...
    @property
    def triangles(self) -> int:
        """of the mesh"""
    @triangles.setter
    def triangles(self, value: int) -> None: ...
    @property
    def count(self) -> int:
        """pieces; 1: the mesh collides as its convex hull, as before"""
    @count.setter
    def count(self, value: int) -> None: ...
    @property
    def vertices(self) -> int:
        """of all pieces together"""
    @vertices.setter
    def vertices(self, value: int) -> None: ...
    @property
    def error(self) -> float:
        """that was asked for [m]"""
    @error.setter
    def error(self, value: float) -> None: ...
    @property
    def excess(self) -> float:
        """bound: no point of the surface of all pieces together is farther from the solid that the mesh encloses [m]"""
    @excess.setter
    def excess(self, value: float) -> None: ...
    @property
    def missing(self) -> float:
        """bound: no point of that solid is farther from the pieces [m]"""
    @missing.setter
    def missing(self, value: float) -> None: ...
    @property
    def opening(self) -> float:
        """openings that are narrower may have been closed [m]"""
    @opening.setter
    def opening(self, value: float) -> None: ...
    @property
    def effort(self) -> float:
        """operations that the cutting took, of about a nanosecond; 0: from the store"""
    @effort.setter
    def effort(self, value: float) -> None: ...
    @property
    def cut_short(self) -> bool:
        """the mesh was not cut to the error, because that would need too many operations"""
    @cut_short.setter
    def cut_short(self, value: bool) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class PieceStore:
    """Keeps pieces between loads, so that a mesh is cut once only. Both functions get `user`."""
    def __init__(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class MjcfAttribute:
    """One attribute that the reader and the writer of MJCF know. All strings are static."""
    def __init__(self, *, element: str = ..., place: str = ..., name: str = ..., type: str = ..., min: int = ..., max: int = ..., fallback: str = ..., meaning: str = ...) -> None: ...
    @property
    def element(self) -> str:
        """element that has it"""
    @element.setter
    def element(self, value: str) -> None: ...
    @property
    def place(self) -> str:
        """element that contains that element"""
    @place.setter
    def place(self, value: str) -> None: ...
    @property
    def name(self) -> str:
        """name of the attribute"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def type(self) -> str:
        """'real', 'int', 'bool', 'tri' (true, false, auto), 'word', 'text', 'name'; '': the attribute is skipped with a warning"""
    @type.setter
    def type(self, value: str) -> None: ...
    @property
    def min(self) -> int:
        """how many numbers it holds, for 'real' and 'int'"""
    @min.setter
    def min(self, value: int) -> None: ...
    @property
    def max(self) -> int:
        """how many numbers it holds, for 'real' and 'int'"""
    @max.setter
    def max(self, value: int) -> None: ...
    @property
    def fallback(self) -> str:
        """value if it is not given; NULL: none"""
    @fallback.setter
    def fallback(self, value: str) -> None: ...
    @property
    def meaning(self) -> str:
        """meaning with its unit, or why it is skipped"""
    @meaning.setter
    def meaning(self, value: str) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class MjcfCustom:
    """An element of <custom> that carries values which MJCF cannot express. All strings are static."""
    def __init__(self, *, element: str = ..., name: str = ..., meaning: str = ...) -> None: ...
    @property
    def element(self) -> str:
        """'numeric', 'text' or 'tuple'"""
    @element.setter
    def element(self, value: str) -> None: ...
    @property
    def name(self) -> str:
        """its attribute `name`; NAME is the name of an element"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def meaning(self) -> str:
        """what it holds"""
    @meaning.setter
    def meaning(self, value: str) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ContactProblemData:
    """A problem that owns its memory, as read from a file."""
    def __init__(self, *, size: int = ...) -> None: ...
    @property
    def size(self) -> int:
        """of the memory [bytes]"""
    @size.setter
    def size(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Pose:
    """Position and orientation of a frame: x_outside = rot x_inside + pos [m]."""
    def __init__(self, *, rot: ArrayLike = ..., pos: ArrayLike = ...) -> None: ...
    @property
    def rot(self) -> NDArray[Any]:
        """rotation from inside to outside"""
    @rot.setter
    def rot(self, value: ArrayLike) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """origin of the inner frame [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Spatial:
    """A spatial motion (angular velocity, linear velocity) or force (torque, force) at a stated point."""
    def __init__(self, *, ang: ArrayLike = ..., lin: ArrayLike = ...) -> None: ...
    @property
    def ang(self) -> NDArray[Any]:
        """angular and linear part, in the units of motions or forces"""
    @ang.setter
    def ang(self, value: ArrayLike) -> None: ...
    @property
    def lin(self) -> NDArray[Any]:
        """angular and linear part, in the units of motions or forces"""
    @lin.setter
    def lin(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Inertia:
    """The inertia of a rigid body in a stated frame."""
    def __init__(self, *, mass: float = ..., com: ArrayLike = ..., inertia: ArrayLike = ...) -> None: ...
    @property
    def mass(self) -> float:
        """[kg]"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def com(self) -> NDArray[Any]:
        """centre of mass [m]"""
    @com.setter
    def com(self, value: ArrayLike) -> None: ...
    @property
    def inertia(self) -> NDArray[Any]:
        """about the centre of mass, along the frame's axes [kg m²]"""
    @inertia.setter
    def inertia(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Field:
    """A distance shape. samples: for HEFT_FIELD_GRID; the caller owns them."""
    def __init__(self, *, type: FieldType | str = ..., size: ArrayLike = ..., grid: ArrayLike = ...) -> None: ...
    @property
    def type(self) -> FieldType:
        """"""
    @type.setter
    def type(self, value: FieldType | str) -> None: ...
    @property
    def size(self) -> NDArray[Any]:
        """[m, 1]: see HEFT_FIELD_LIST"""
    @size.setter
    def size(self, value: ArrayLike) -> None: ...
    @property
    def grid(self) -> NDArray[Any]:
        """samples along x, y and z, at least 2 each"""
    @grid.setter
    def grid(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class FieldTriangles:
    """Triangles of a distance shape. Release them with heft_field_triangles_release()."""
    def __init__(self, *, vertex_count: int = ..., face_count: int = ...) -> None: ...
    @property
    def vertex_count(self) -> int:
        """"""
    @vertex_count.setter
    def vertex_count(self, value: int) -> None: ...
    @property
    def face_count(self) -> int:
        """"""
    @face_count.setter
    def face_count(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Physics:
    """Settings of the physics; a world may override them."""
    def __init__(self, *, gravity: ArrayLike = ..., time_step: float = ...) -> None: ...
    @property
    def gravity(self) -> NDArray[Any]:
        """[m/s²]"""
    @gravity.setter
    def gravity(self, value: ArrayLike) -> None: ...
    @property
    def time_step(self) -> float:
        """[s]"""
    @time_step.setter
    def time_step(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ModelLimits:
    """Limits against faulty or hostile descriptions: the mass matrix of a chain of a few thousand joints has millions of entries. All limits are inclusive."""
    def __init__(self, *, dofs: int = ..., mass_entries: int = ...) -> None: ...
    @property
    def dofs(self) -> int:
        """degrees of freedom"""
    @dofs.setter
    def dofs(self, value: int) -> None: ...
    @property
    def mass_entries(self) -> int:
        """stored entries of the mass matrix: for every dof, the dofs between it and the root"""
    @mass_entries.setter
    def mass_entries(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class BodyDef:
    """A body, with mass, centre of mass and an inertia tensor in a frame of its own, `inertia_quat`."""
    def __init__(self, *, name: str = ..., parent: int = ..., pos: ArrayLike = ..., quat: ArrayLike = ..., mass: float = ..., com: ArrayLike = ..., inertia_quat: ArrayLike = ..., inertia: ArrayLike = ..., gravity: float = ..., moved: int = ..., moved_velocity: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """may be NULL; copied"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def parent(self) -> int:
        """parent body, added before; 0: the world"""
    @parent.setter
    def parent(self, value: int) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """origin in the parent's frame [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """orientation in the parent's frame"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def mass(self) -> float:
        """[kg], >= 0"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def com(self) -> NDArray[Any]:
        """centre of mass in the body's frame [m]"""
    @com.setter
    def com(self, value: ArrayLike) -> None: ...
    @property
    def inertia_quat(self) -> NDArray[Any]:
        """orientation of the inertial frame in the body's frame"""
    @inertia_quat.setter
    def inertia_quat(self, value: ArrayLike) -> None: ...
    @property
    def inertia(self) -> NDArray[Any]:
        """about the centre of mass, along the inertial frame [kg m²]"""
    @inertia.setter
    def inertia(self, value: ArrayLike) -> None: ...
    @property
    def gravity(self) -> float:
        """fraction of gravity that acts on the body, at most 1; 0: none"""
    @gravity.setter
    def gravity(self, value: float) -> None: ...
    @property
    def moved(self) -> int:
        """1: the program prescribes its motion (HeftMovedCommand); it hangs on the world, has no joints and carries none. Its mass has no effect"""
    @moved.setter
    def moved(self, value: int) -> None: ...
    @property
    def moved_velocity(self) -> NDArray[Any]:
        """of a moved body at the start [rad/s, m/s]: see the array of this name"""
    @moved_velocity.setter
    def moved_velocity(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class JointDef:
    """A joint between a body and its parent."""
    def __init__(self, *, name: str = ..., body: int = ..., type: JointType | str = ..., pos: ArrayLike = ..., axis: ArrayLike = ..., axis2: ArrayLike = ..., q_default: ArrayLike = ..., q_spring: ArrayLike = ..., damping: ArrayLike = ..., stiffness: ArrayLike = ..., friction: ArrayLike = ..., armature: ArrayLike = ..., limited: ArrayLike = ..., range: ArrayLike = ..., force_limited: int = ..., force_range: ArrayLike = ..., restitution: float = ...) -> None: ...
    @property
    def name(self) -> str:
        """may be NULL; copied"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def body(self) -> int:
        """body that the joint moves, > 0"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def type(self) -> JointType:
        """"""
    @type.setter
    def type(self, value: JointType | str) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """anchor in the body's frame [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def axis(self) -> NDArray[Any]:
        """in the body's frame; any length except zero [1]"""
    @axis.setter
    def axis(self, value: ArrayLike) -> None: ...
    @property
    def axis2(self) -> NDArray[Any]:
        """planar and universal; made perpendicular to axis [1]"""
    @axis2.setter
    def axis2(self, value: ArrayLike) -> None: ...
    @property
    def q_default(self) -> NDArray[Any]:
        """coordinates in the described pose; ball: the identity, free: the pose of the body (both set by the builder) [m, rad]"""
    @q_default.setter
    def q_default(self, value: ArrayLike) -> None: ...
    @property
    def q_spring(self) -> NDArray[Any]:
        """coordinates at which the spring exerts no force; first NaN: same as q_default [m, rad]"""
    @q_spring.setter
    def q_spring(self, value: ArrayLike) -> None: ...
    @property
    def damping(self) -> NDArray[Any]:
        """per degree of freedom [N s/m, N m s/rad]"""
    @damping.setter
    def damping(self, value: ArrayLike) -> None: ...
    @property
    def stiffness(self) -> NDArray[Any]:
        """[N/m, N m/rad]"""
    @stiffness.setter
    def stiffness(self, value: ArrayLike) -> None: ...
    @property
    def friction(self) -> NDArray[Any]:
        """[N, N m]"""
    @friction.setter
    def friction(self, value: ArrayLike) -> None: ...
    @property
    def armature(self) -> NDArray[Any]:
        """[kg, kg m²]"""
    @armature.setter
    def armature(self, value: ArrayLike) -> None: ...
    @property
    def limited(self) -> NDArray[Any]:
        """1 if range applies"""
    @limited.setter
    def limited(self, value: ArrayLike) -> None: ...
    @property
    def range(self) -> NDArray[Any]:
        """lowest, highest [m, rad]"""
    @range.setter
    def range(self, value: ArrayLike) -> None: ...
    @property
    def force_limited(self) -> int:
        """1 if force_range applies"""
    @force_limited.setter
    def force_limited(self, value: int) -> None: ...
    @property
    def force_range(self) -> NDArray[Any]:
        """lowest and highest force of all its actuators together [N, N m]"""
    @force_range.setter
    def force_range(self, value: ArrayLike) -> None: ...
    @property
    def restitution(self) -> float:
        """coefficient of an impact at its limits, 0 to 1"""
    @restitution.setter
    def restitution(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class SiteDef:
    """A point of a body with axes, for sensors, tendons and actuators."""
    def __init__(self, *, name: str = ..., body: int = ..., pos: ArrayLike = ..., quat: ArrayLike = ..., type: ShapeType | str = ..., size: ArrayLike = ..., group: int = ..., color: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def body(self) -> int:
        """"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def type(self) -> ShapeType:
        """shape of the zone of the site"""
    @type.setter
    def type(self, value: ShapeType | str) -> None: ...
    @property
    def size(self) -> NDArray[Any]:
        """see shape_size"""
    @size.setter
    def size(self, value: ArrayLike) -> None: ...
    @property
    def group(self) -> int:
        """"""
    @group.setter
    def group(self, value: int) -> None: ...
    @property
    def color(self) -> NDArray[Any]:
        """"""
    @color.setter
    def color(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class MaterialDef:
    """Friction, restitution and softness of surfaces."""
    def __init__(self, *, name: str = ..., friction: float = ..., kinetic: float = ..., torsion: float = ..., rolling: float = ..., restitution: float = ..., layer: ArrayLike = ..., slip: ArrayLike = ..., soft: ArrayLike = ..., area: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def friction(self) -> float:
        """static Coulomb coefficient"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def kinetic(self) -> float:
        """kinetic Coulomb coefficient; NaN: the static one"""
    @kinetic.setter
    def kinetic(self, value: float) -> None: ...
    @property
    def torsion(self) -> float:
        """[m]"""
    @torsion.setter
    def torsion(self, value: float) -> None: ...
    @property
    def rolling(self) -> float:
        """[m]"""
    @rolling.setter
    def rolling(self, value: float) -> None: ...
    @property
    def restitution(self) -> float:
        """0 to 1"""
    @restitution.setter
    def restitution(self, value: float) -> None: ...
    @property
    def layer(self) -> NDArray[Any]:
        """elastic layer for the contact model micro_macro: stiffness [N/m] and damping [N s/m] of a contact point, thickness [m]; stiffness 0: none"""
    @layer.setter
    def layer(self, value: ArrayLike) -> None: ...
    @property
    def slip(self) -> NDArray[Any]:
        """Stribeck speed [m/s], 0: none; viscous term [s/m] (material_slip)"""
    @slip.setter
    def slip(self, value: ArrayLike) -> None: ...
    @property
    def soft(self) -> NDArray[Any]:
        """stiffness [N/m] and damping [N s/m] of a contact point; stiffness 0: rigid (material_soft)"""
    @soft.setter
    def soft(self, value: ArrayLike) -> None: ...
    @property
    def area(self) -> NDArray[Any]:
        """area contact: modulus [Pa], 0: none; thickness [m]; dissipation [s/m]; exponent, 1 or 0.5 (material_area)"""
    @area.setter
    def area(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ShapeDef:
    """A shape of a body, which collides, is drawn, or both."""
    def __init__(self, *, name: str = ..., body: int = ..., type: ShapeType | str = ..., pos: ArrayLike = ..., quat: ArrayLike = ..., size: ArrayLike = ..., mesh: int = ..., height_field: int = ..., appearance: int = ..., material: int = ..., category: int = ..., collides: int = ..., contact_dim: int = ..., priority: int = ..., group: int = ..., margin: float = ..., gap: float = ..., color: ArrayLike = ..., conveyor: int = ..., conveyor_velocity: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def body(self) -> int:
        """"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def type(self) -> ShapeType:
        """"""
    @type.setter
    def type(self, value: ShapeType | str) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def size(self) -> NDArray[Any]:
        """see shape_size"""
    @size.setter
    def size(self, value: ArrayLike) -> None: ...
    @property
    def mesh(self) -> int:
        """for HEFT_SHAPE_MESH; -1 otherwise"""
    @mesh.setter
    def mesh(self, value: int) -> None: ...
    @property
    def height_field(self) -> int:
        """for HEFT_SHAPE_HEIGHT_FIELD; -1 otherwise"""
    @height_field.setter
    def height_field(self, value: int) -> None: ...
    @property
    def appearance(self) -> int:
        """-1: color only"""
    @appearance.setter
    def appearance(self, value: int) -> None: ...
    @property
    def material(self) -> int:
        """contact material; 0: the default material"""
    @material.setter
    def material(self, value: int) -> None: ...
    @property
    def category(self) -> int:
        """"""
    @category.setter
    def category(self, value: int) -> None: ...
    @property
    def collides(self) -> int:
        """"""
    @collides.setter
    def collides(self, value: int) -> None: ...
    @property
    def contact_dim(self) -> int:
        """"""
    @contact_dim.setter
    def contact_dim(self, value: int) -> None: ...
    @property
    def priority(self) -> int:
        """"""
    @priority.setter
    def priority(self, value: int) -> None: ...
    @property
    def group(self) -> int:
        """"""
    @group.setter
    def group(self, value: int) -> None: ...
    @property
    def margin(self) -> float:
        """[m]"""
    @margin.setter
    def margin(self, value: float) -> None: ...
    @property
    def gap(self) -> float:
        """[m]"""
    @gap.setter
    def gap(self, value: float) -> None: ...
    @property
    def color(self) -> NDArray[Any]:
        """"""
    @color.setter
    def color(self, value: ArrayLike) -> None: ...
    @property
    def conveyor(self) -> int:
        """1: its surface moves, by conveyor_velocity at first"""
    @conveyor.setter
    def conveyor(self, value: int) -> None: ...
    @property
    def conveyor_velocity(self) -> NDArray[Any]:
        """linear and angular, in its frame [m/s, rad/s]"""
    @conveyor_velocity.setter
    def conveyor_velocity(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class HeightFieldDef:
    """Heights on a grid, for shapes."""
    def __init__(self, *, name: str = ..., size: ArrayLike = ..., heights: Any = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def size(self) -> NDArray[Any]:
        """see height_field_size; the third is computed"""
    @size.setter
    def size(self, value: ArrayLike) -> None: ...
    @property
    def heights(self) -> Any:
        """rows x columns, copied [m]"""
    @heights.setter
    def heights(self, value: Any) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class TextureDef:
    """An image for surfaces, from a file or generated."""
    def __init__(self, *, name: str = ..., file: str = ..., type: TextureType | str = ..., source: TextureSource | str = ..., mark: TextureMark | str = ..., width: int = ..., height: int = ..., color: ArrayLike = ..., color2: ArrayLike = ..., mark_color: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def file(self) -> str:
        """may be NULL; copied"""
    @file.setter
    def file(self, value: str) -> None: ...
    @property
    def type(self) -> TextureType:
        """"""
    @type.setter
    def type(self, value: TextureType | str) -> None: ...
    @property
    def source(self) -> TextureSource:
        """"""
    @source.setter
    def source(self, value: TextureSource | str) -> None: ...
    @property
    def mark(self) -> TextureMark:
        """"""
    @mark.setter
    def mark(self, value: TextureMark | str) -> None: ...
    @property
    def width(self) -> int:
        """[pixels]"""
    @width.setter
    def width(self, value: int) -> None: ...
    @property
    def height(self) -> int:
        """[pixels]"""
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def color(self) -> NDArray[Any]:
        """"""
    @color.setter
    def color(self, value: ArrayLike) -> None: ...
    @property
    def color2(self) -> NDArray[Any]:
        """"""
    @color2.setter
    def color2(self, value: ArrayLike) -> None: ...
    @property
    def mark_color(self) -> NDArray[Any]:
        """"""
    @mark_color.setter
    def mark_color(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class AppearanceDef:
    """How shapes look: colour, light and texture."""
    def __init__(self, *, name: str = ..., color: ArrayLike = ..., light: ArrayLike = ..., texture: int = ..., repeat: ArrayLike = ..., uniform: int = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def color(self) -> NDArray[Any]:
        """"""
    @color.setter
    def color(self, value: ArrayLike) -> None: ...
    @property
    def light(self) -> NDArray[Any]:
        """emission, specular, shininess, reflectance"""
    @light.setter
    def light(self, value: ArrayLike) -> None: ...
    @property
    def texture(self) -> int:
        """or -1"""
    @texture.setter
    def texture(self, value: int) -> None: ...
    @property
    def repeat(self) -> NDArray[Any]:
        """"""
    @repeat.setter
    def repeat(self, value: ArrayLike) -> None: ...
    @property
    def uniform(self) -> int:
        """"""
    @uniform.setter
    def uniform(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class CameraDef:
    """A camera on a body."""
    def __init__(self, *, name: str = ..., body: int = ..., pos: ArrayLike = ..., quat: ArrayLike = ..., fov: float = ..., follow: Follow | str = ..., target: int = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def body(self) -> int:
        """"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def fov(self) -> float:
        """[rad]"""
    @fov.setter
    def fov(self, value: float) -> None: ...
    @property
    def follow(self) -> Follow:
        """"""
    @follow.setter
    def follow(self, value: Follow | str) -> None: ...
    @property
    def target(self) -> int:
        """body, or -1"""
    @target.setter
    def target(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class LightDef:
    """A light on a body."""
    def __init__(self, *, name: str = ..., body: int = ..., pos: ArrayLike = ..., dir: ArrayLike = ..., follow: Follow | str = ..., target: int = ..., directional: int = ..., shadow: int = ..., active: int = ..., ambient: ArrayLike = ..., diffuse: ArrayLike = ..., specular: ArrayLike = ..., attenuation: ArrayLike = ..., cutoff: float = ..., exponent: float = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def body(self) -> int:
        """"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def dir(self) -> NDArray[Any]:
        """"""
    @dir.setter
    def dir(self, value: ArrayLike) -> None: ...
    @property
    def follow(self) -> Follow:
        """"""
    @follow.setter
    def follow(self, value: Follow | str) -> None: ...
    @property
    def target(self) -> int:
        """body, or -1"""
    @target.setter
    def target(self, value: int) -> None: ...
    @property
    def directional(self) -> int:
        """"""
    @directional.setter
    def directional(self, value: int) -> None: ...
    @property
    def shadow(self) -> int:
        """"""
    @shadow.setter
    def shadow(self, value: int) -> None: ...
    @property
    def active(self) -> int:
        """"""
    @active.setter
    def active(self, value: int) -> None: ...
    @property
    def ambient(self) -> NDArray[Any]:
        """"""
    @ambient.setter
    def ambient(self, value: ArrayLike) -> None: ...
    @property
    def diffuse(self) -> NDArray[Any]:
        """"""
    @diffuse.setter
    def diffuse(self, value: ArrayLike) -> None: ...
    @property
    def specular(self) -> NDArray[Any]:
        """"""
    @specular.setter
    def specular(self, value: ArrayLike) -> None: ...
    @property
    def attenuation(self) -> NDArray[Any]:
        """constant, linear and quadratic, with distance [1, 1/m, 1/m²]"""
    @attenuation.setter
    def attenuation(self, value: ArrayLike) -> None: ...
    @property
    def cutoff(self) -> float:
        """[rad]"""
    @cutoff.setter
    def cutoff(self, value: float) -> None: ...
    @property
    def exponent(self) -> float:
        """"""
    @exponent.setter
    def exponent(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class PairDef:
    """Two shapes that collide whatever their categories, with a material of their own."""
    def __init__(self, *, name: str = ..., shape: ArrayLike = ..., material: int = ..., contact_dim: int = ..., margin: float = ..., gap: float = ..., friction2: float = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def shape(self) -> NDArray[Any]:
        """"""
    @shape.setter
    def shape(self, value: ArrayLike) -> None: ...
    @property
    def material(self) -> int:
        """"""
    @material.setter
    def material(self, value: int) -> None: ...
    @property
    def contact_dim(self) -> int:
        """"""
    @contact_dim.setter
    def contact_dim(self, value: int) -> None: ...
    @property
    def margin(self) -> float:
        """[m]"""
    @margin.setter
    def margin(self, value: float) -> None: ...
    @property
    def gap(self) -> float:
        """[m]"""
    @gap.setter
    def gap(self, value: float) -> None: ...
    @property
    def friction2(self) -> float:
        """second sliding coefficient: see pair_friction2; 0: none"""
    @friction2.setter
    def friction2(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ExcludeDef:
    """Two bodies whose shapes do not collide with each other."""
    def __init__(self, *, name: str = ..., body: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def body(self) -> NDArray[Any]:
        """"""
    @body.setter
    def body(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class EqualityDef:
    """An equality constraint; see HEFT_EQUALITY_LIST."""
    def __init__(self, *, name: str = ..., type: EqualityType | str = ..., object: ArrayLike = ..., active: int = ..., anchor: ArrayLike = ..., quat: ArrayLike = ..., poly: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def type(self) -> EqualityType:
        """"""
    @type.setter
    def type(self, value: EqualityType | str) -> None: ...
    @property
    def object(self) -> NDArray[Any]:
        """"""
    @object.setter
    def object(self, value: ArrayLike) -> None: ...
    @property
    def active(self) -> int:
        """"""
    @active.setter
    def active(self, value: int) -> None: ...
    @property
    def anchor(self) -> NDArray[Any]:
        """the common point in body 1 and in body 2 [m]"""
    @anchor.setter
    def anchor(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """weld: orientation of body 2 in body 1"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def poly(self) -> NDArray[Any]:
        """"""
    @poly.setter
    def poly(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Wrap:
    """One element of the path of a tendon; see HEFT_WRAP_LIST."""
    def __init__(self, *, type: WrapType | str = ..., object: int = ..., value: float = ..., side: int = ...) -> None: ...
    @property
    def type(self) -> WrapType:
        """"""
    @type.setter
    def type(self, value: WrapType | str) -> None: ...
    @property
    def object(self) -> int:
        """joint, site or shape"""
    @object.setter
    def object(self, value: int) -> None: ...
    @property
    def value(self) -> float:
        """joint: coefficient; pulley: divisor"""
    @value.setter
    def value(self, value: float) -> None: ...
    @property
    def side(self) -> int:
        """shape: side site, or -1"""
    @side.setter
    def side(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class TendonDef:
    """A tendon: a path over sites and shapes, or a sum of joint coordinates."""
    def __init__(self, *, name: str = ..., wraps: Any = ..., limited: int = ..., range: ArrayLike = ..., spring: ArrayLike = ..., stiffness: float = ..., damping: float = ..., friction: float = ..., armature: float = ..., width: float = ..., color: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def wraps(self) -> Any:
        """copied"""
    @wraps.setter
    def wraps(self, value: Any) -> None: ...
    @property
    def limited(self) -> int:
        """"""
    @limited.setter
    def limited(self, value: int) -> None: ...
    @property
    def range(self) -> NDArray[Any]:
        """"""
    @range.setter
    def range(self, value: ArrayLike) -> None: ...
    @property
    def spring(self) -> NDArray[Any]:
        """see tendon_spring"""
    @spring.setter
    def spring(self, value: ArrayLike) -> None: ...
    @property
    def stiffness(self) -> float:
        """"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def friction(self) -> float:
        """"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def armature(self) -> float:
        """"""
    @armature.setter
    def armature(self, value: float) -> None: ...
    @property
    def width(self) -> float:
        """"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def color(self) -> NDArray[Any]:
        """"""
    @color.setter
    def color(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ActuatorDef:
    """An actuator at a joint, a tendon or a site."""
    def __init__(self, *, name: str = ..., transmission: Transmission | str = ..., target: int = ..., reference: int = ..., crank: float = ..., gear: ArrayLike = ..., activation: Activation | str = ..., time: float = ..., gain: float = ..., gain_rate: ArrayLike = ..., bias: ArrayLike = ..., act_limited: int = ..., act_early: int = ..., act_range: ArrayLike = ..., control_limited: int = ..., force_limited: int = ..., control_range: ArrayLike = ..., force_range: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def transmission(self) -> Transmission:
        """"""
    @transmission.setter
    def transmission(self, value: Transmission | str) -> None: ...
    @property
    def target(self) -> int:
        """"""
    @target.setter
    def target(self, value: int) -> None: ...
    @property
    def reference(self) -> int:
        """site: reference site, or -1; slider crank: the slider's site"""
    @reference.setter
    def reference(self, value: int) -> None: ...
    @property
    def crank(self) -> float:
        """slider crank: length of the rod [m]"""
    @crank.setter
    def crank(self, value: float) -> None: ...
    @property
    def gear(self) -> NDArray[Any]:
        """"""
    @gear.setter
    def gear(self, value: ArrayLike) -> None: ...
    @property
    def activation(self) -> Activation:
        """"""
    @activation.setter
    def activation(self, value: Activation | str) -> None: ...
    @property
    def time(self) -> float:
        """filter's time constant [s]"""
    @time.setter
    def time(self, value: float) -> None: ...
    @property
    def gain(self) -> float:
        """"""
    @gain.setter
    def gain(self, value: float) -> None: ...
    @property
    def gain_rate(self) -> NDArray[Any]:
        """"""
    @gain_rate.setter
    def gain_rate(self, value: ArrayLike) -> None: ...
    @property
    def bias(self) -> NDArray[Any]:
        """"""
    @bias.setter
    def bias(self, value: ArrayLike) -> None: ...
    @property
    def act_limited(self) -> int:
        """"""
    @act_limited.setter
    def act_limited(self, value: int) -> None: ...
    @property
    def act_early(self) -> int:
        """"""
    @act_early.setter
    def act_early(self, value: int) -> None: ...
    @property
    def act_range(self) -> NDArray[Any]:
        """min and max of the activation, in the unit of the actuator"""
    @act_range.setter
    def act_range(self, value: ArrayLike) -> None: ...
    @property
    def control_limited(self) -> int:
        """"""
    @control_limited.setter
    def control_limited(self, value: int) -> None: ...
    @property
    def force_limited(self) -> int:
        """"""
    @force_limited.setter
    def force_limited(self, value: int) -> None: ...
    @property
    def control_range(self) -> NDArray[Any]:
        """min and max of the control, in the unit of the actuator"""
    @control_range.setter
    def control_range(self, value: ArrayLike) -> None: ...
    @property
    def force_range(self) -> NDArray[Any]:
        """min and max of the force [N, N m]"""
    @force_range.setter
    def force_range(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class SensorDef:
    """A sensor of the model."""
    def __init__(self, *, name: str = ..., type: SensorType | str = ..., object: int = ..., frame: Frame | str = ..., reference: int = ..., reference_frame: Frame | str = ..., noise: float = ..., cutoff: float = ..., matrix: ArrayLike = ..., offset: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def type(self) -> SensorType:
        """"""
    @type.setter
    def type(self, value: SensorType | str) -> None: ...
    @property
    def object(self) -> int:
        """"""
    @object.setter
    def object(self, value: int) -> None: ...
    @property
    def frame(self) -> Frame:
        """kind of object, if the type measures a frame"""
    @frame.setter
    def frame(self, value: Frame | str) -> None: ...
    @property
    def reference(self) -> int:
        """or -1"""
    @reference.setter
    def reference(self, value: int) -> None: ...
    @property
    def reference_frame(self) -> Frame:
        """"""
    @reference_frame.setter
    def reference_frame(self, value: Frame | str) -> None: ...
    @property
    def noise(self) -> float:
        """standard deviation, in the unit of the sensor"""
    @noise.setter
    def noise(self, value: float) -> None: ...
    @property
    def cutoff(self) -> float:
        """values are clamped at -cutoff and cutoff, in the unit of the sensor; 0: no limit"""
    @cutoff.setter
    def cutoff(self, value: float) -> None: ...
    @property
    def matrix(self) -> NDArray[Any]:
        """calibration [1], 4 x 4; only rows and columns of the sensor's values count"""
    @matrix.setter
    def matrix(self, value: ArrayLike) -> None: ...
    @property
    def offset(self) -> NDArray[Any]:
        """added to the values, in the unit of the sensor"""
    @offset.setter
    def offset(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class KeyDef:
    """A keyframe. NULL arrays mean: q_default, zero velocity, activation and control."""
    def __init__(self, *, name: str = ..., time: float = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def time(self) -> float:
        """"""
    @time.setter
    def time(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class DeformableDef:
    """A deformable body: a solid of tetrahedra. Each vertex becomes a body NAME_0, NAME_1, ... that moves by three slides, so that state, snapshots, sensors and forces from outside treat it as any other. Vertices on the surface touch other shapes by a sphere."""
    def __init__(self, *, name: str = ..., pos: ArrayLike = ..., quat: ArrayLike = ..., vertex_count: int = ..., tetrahedron_count: int = ..., density: float = ..., young: float = ..., poisson: float = ..., damping: float = ..., radius: float = ..., material: int = ..., category: int = ..., collides: int = ..., contact_dim: int = ..., bond_count: int = ..., color: ArrayLike = ...) -> None: ...
    @property
    def name(self) -> str:
        """not empty; copied"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """place of the shape without stress in the world [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """its orientation"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def vertex_count(self) -> int:
        """>= 4"""
    @vertex_count.setter
    def vertex_count(self, value: int) -> None: ...
    @property
    def tetrahedron_count(self) -> int:
        """>= 1"""
    @tetrahedron_count.setter
    def tetrahedron_count(self, value: int) -> None: ...
    @property
    def density(self) -> float:
        """[kg/m³]"""
    @density.setter
    def density(self, value: float) -> None: ...
    @property
    def young(self) -> float:
        """Young's modulus [Pa]; Poisson's ratio, 0 to 0.49"""
    @young.setter
    def young(self, value: float) -> None: ...
    @property
    def poisson(self) -> float:
        """Young's modulus [Pa]; Poisson's ratio, 0 to 0.49"""
    @poisson.setter
    def poisson(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """viscosity [s]; see deformable_damping"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def radius(self) -> float:
        """of the spheres at vertices of the surface [m]; 0: nothing touches it"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def material(self) -> int:
        """of these spheres, as in HeftShapeDef"""
    @material.setter
    def material(self, value: int) -> None: ...
    @property
    def category(self) -> int:
        """of these spheres, as in HeftShapeDef"""
    @category.setter
    def category(self, value: int) -> None: ...
    @property
    def collides(self) -> int:
        """of these spheres, as in HeftShapeDef"""
    @collides.setter
    def collides(self, value: int) -> None: ...
    @property
    def contact_dim(self) -> int:
        """of these spheres, as in HeftShapeDef"""
    @contact_dim.setter
    def contact_dim(self, value: int) -> None: ...
    @property
    def bond_count(self) -> int:
        """number of vertices that are fixed to bodies"""
    @bond_count.setter
    def bond_count(self, value: int) -> None: ...
    @property
    def color(self) -> NDArray[Any]:
        """"""
    @color.setter
    def color(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class PartDef:
    """The parts of a model that heft_builder_add_model() adds, and where."""
    def __init__(self, *, prefix: str = ..., pos: ArrayLike = ..., quat: ArrayLike = ..., world: int = ..., keys: int = ...) -> None: ...
    @property
    def prefix(self) -> str:
        """in front of all names; may be NULL: none"""
    @prefix.setter
    def prefix(self, value: str) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """position of its world in the world of the builder [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """orientation of its world"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def world(self) -> int:
        """1: with the shapes, sites, cameras and lights of its world; 0: without"""
    @world.setter
    def world(self, value: int) -> None: ...
    @property
    def keys(self) -> int:
        """1: with its keyframes"""
    @keys.setter
    def keys(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ContactOptions:
    """Numbers of the contact models other than the exact one."""
    def __init__(self, *, law: PenaltyLaw | str = ..., stiffness: float = ..., damping: float = ..., exponent: float = ..., tangent_stiffness: float = ..., tangent_damping: float = ..., facets: int = ..., size: int = ..., lambda_: float = ..., unit_free: int = ..., membrane: float = ..., membrane_stays: int = ..., step_damper: int = ..., slip_speed: float = ..., static_friction: float = ..., clamp_gap: float = ..., rise_limit: float = ..., sink_limit: float = ..., pressure_rule: int = ..., candidates: int = ...) -> None: ...
    @property
    def law(self) -> PenaltyLaw:
        """penalty: 0 linear, 1 Hunt and Crossley"""
    @law.setter
    def law(self, value: PenaltyLaw | str) -> None: ...
    @property
    def stiffness(self) -> float:
        """penalty, micro_macro: k [N/m, N/m^p]; volume: [N/m^3]"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """penalty, micro_macro: c [N s/m; Hunt: s/m]; volume: [s]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def exponent(self) -> float:
        """penalty: exponent p of Hunt and Crossley"""
    @exponent.setter
    def exponent(self, value: float) -> None: ...
    @property
    def tangent_stiffness(self) -> float:
        """penalty, volume, lugre: tangential stiffness of a point [N/m]"""
    @tangent_stiffness.setter
    def tangent_stiffness(self, value: float) -> None: ...
    @property
    def tangent_damping(self) -> float:
        """penalty, volume, lugre: tangential damping [N s/m]"""
    @tangent_damping.setter
    def tangent_damping(self, value: float) -> None: ...
    @property
    def facets(self) -> int:
        """lcp: facets of the friction cone, even"""
    @facets.setter
    def facets(self, value: int) -> None: ...
    @property
    def size(self) -> int:
        """lcp, micro_macro: max unknowns per island; above: exact"""
    @size.setter
    def size(self, value: int) -> None: ...
    @property
    def lambda_(self) -> float:
        """micro_macro: weight of the forces [1/kg^2, or in W^2]"""
    @lambda_.setter
    def lambda_(self, value: float) -> None: ...
    @property
    def unit_free(self) -> int:
        """micro_macro: 1 lambda in units of W^2, 0 in 1/kg^2"""
    @unit_free.setter
    def unit_free(self, value: int) -> None: ...
    @property
    def membrane(self) -> float:
        """micro_macro: elastic layer [m]; -1 all elastic, 0 rigid"""
    @membrane.setter
    def membrane(self, value: float) -> None: ...
    @property
    def membrane_stays(self) -> int:
        """micro_macro: 1 a fully compressed layer keeps its force"""
    @membrane_stays.setter
    def membrane_stays(self, value: int) -> None: ...
    @property
    def step_damper(self) -> int:
        """micro_macro: 1 damping grows with the step, 0 constant"""
    @step_damper.setter
    def step_damper(self, value: int) -> None: ...
    @property
    def slip_speed(self) -> float:
        """micro_macro: points below this speed may stick [m/s]"""
    @slip_speed.setter
    def slip_speed(self, value: float) -> None: ...
    @property
    def static_friction(self) -> float:
        """micro_macro: static coefficient, -1 from material"""
    @static_friction.setter
    def static_friction(self, value: float) -> None: ...
    @property
    def clamp_gap(self) -> float:
        """feet: clamps may start below this gap, must below -gap [m]"""
    @clamp_gap.setter
    def clamp_gap(self, value: float) -> None: ...
    @property
    def rise_limit(self) -> float:
        """feet: vertices that accelerate up faster detach [m/s^2]"""
    @rise_limit.setter
    def rise_limit(self, value: float) -> None: ...
    @property
    def sink_limit(self) -> float:
        """feet: but not if they sink faster than this [m/s]"""
    @sink_limit.setter
    def sink_limit(self, value: float) -> None: ...
    @property
    def pressure_rule(self) -> int:
        """feet: 1 no vertex detaches while the CoP is inside"""
    @pressure_rule.setter
    def pressure_rule(self, value: int) -> None: ...
    @property
    def candidates(self) -> int:
        """foot_exact: max constraint sets tried per step"""
    @candidates.setter
    def candidates(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class StepBounds:
    """Bounds of the errors of a step, each >= 0 in the unit of its quantity; the residuals may also be -1: the tolerance of the world."""
    def __init__(self, *, contact_residual: float = ..., limit_residual: float = ..., friction_residual: float = ..., loop_residual: float = ..., tendon_residual: float = ..., free_forces: float = ..., free_motion: float = ..., energy_defect: float = ..., limit_error: float = ..., tendon_error: float = ..., loop_error: float = ..., overlap: float = ..., inverted: float = ..., motion_defect: float = ..., time_lost: float = ...) -> None: ...
    @property
    def contact_residual(self) -> float:
        """residual of contact points, relative to their velocities [1]; bound -1: the tolerance"""
    @contact_residual.setter
    def contact_residual(self, value: float) -> None: ...
    @property
    def limit_residual(self) -> float:
        """the same of joint limits [1]"""
    @limit_residual.setter
    def limit_residual(self, value: float) -> None: ...
    @property
    def friction_residual(self) -> float:
        """the same of dry friction of joints [1]"""
    @friction_residual.setter
    def friction_residual(self, value: float) -> None: ...
    @property
    def loop_residual(self) -> float:
        """the same of equalities [1]"""
    @loop_residual.setter
    def loop_residual(self, value: float) -> None: ...
    @property
    def tendon_residual(self) -> float:
        """the same of limits, dry friction and equalities of tendons [1]"""
    @tendon_residual.setter
    def tendon_residual(self, value: float) -> None: ...
    @property
    def free_forces(self) -> float:
        """islands whose solution is not the one of equal compliance [1]; allowed"""
    @free_forces.setter
    def free_forces(self, value: float) -> None: ...
    @property
    def free_motion(self) -> float:
        """islands that have other motions by the same laws [1]"""
    @free_motion.setter
    def free_motion(self, value: float) -> None: ...
    @property
    def energy_defect(self) -> float:
        """energy that no force explains, relative to the energy that moves in the step [1]"""
    @energy_defect.setter
    def energy_defect(self, value: float) -> None: ...
    @property
    def limit_error(self) -> float:
        """distance of a joint beyond its range after the step, relative to the range [1]"""
    @limit_error.setter
    def limit_error(self, value: float) -> None: ...
    @property
    def tendon_error(self) -> float:
        """the same of a tendon at the start of the step [1]"""
    @tendon_error.setter
    def tendon_error(self, value: float) -> None: ...
    @property
    def loop_error(self) -> float:
        """error of an equality after the step [m, rad]"""
    @loop_error.setter
    def loop_error(self, value: float) -> None: ...
    @property
    def overlap(self) -> float:
        """depth of a rigid contact point at the start over half the thinner shape's thickness [1]"""
    @overlap.setter
    def overlap(self, value: float) -> None: ...
    @property
    def inverted(self) -> float:
        """elements of deformable bodies that are turned inside out [1]"""
    @inverted.setter
    def inverted(self, value: float) -> None: ...
    @property
    def motion_defect(self) -> float:
        """difference of a displacement from the velocities of HeftStepMotion, relative to these [1]"""
    @motion_defect.setter
    def motion_defect(self, value: float) -> None: ...
    @property
    def time_lost(self) -> float:
        """part of the step in which a body did not move [s]"""
    @time_lost.setter
    def time_lost(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class StepError:
    """An error of a step."""
    def __init__(self, *, value: float = ..., bound: float = ..., place: ArrayLike = ...) -> None: ...
    @property
    def value(self) -> float:
        """the largest of the step, in the unit of its quantity; 0: there is none"""
    @value.setter
    def value(self, value: float) -> None: ...
    @property
    def bound(self) -> float:
        """above which the step is not solved, in the same unit"""
    @bound.setter
    def bound(self, value: float) -> None: ...
    @property
    def place(self) -> NDArray[Any]:
        """where it is: index of the object (heft_step_quantity_place()); contact points: the two shapes; -1: not known, or there is none"""
    @place.setter
    def place(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class MovedCommand:
    """Command of the program to a moved body, in the world."""
    def __init__(self, *, velocity: ArrayLike = ..., target: ArrayLike = ..., arrives: float = ...) -> None: ...
    @property
    def velocity(self) -> NDArray[Any]:
        """from the next step on: angular, and linear of its origin [rad/s, m/s]"""
    @velocity.setter
    def velocity(self, value: ArrayLike) -> None: ...
    @property
    def target(self) -> NDArray[Any]:
        """if arrives: pose at the end of the next step, position [m] and quaternion"""
    @target.setter
    def target(self, value: ArrayLike) -> None: ...
    @property
    def arrives(self) -> float:
        """1: it moves to the target during the next step, by a constant velocity; then the command becomes zero, so that it rests. 0: velocity applies [1]"""
    @arrives.setter
    def arrives(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Hand:
    """The hand of a user, of a device or of the mouse, for controllers that react to users."""
    def __init__(self, *, pos: ArrayLike = ..., present: int = ..., body: int = ..., point: ArrayLike = ..., force: ArrayLike = ..., torque: ArrayLike = ..., buttons: int = ...) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """position [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def present(self) -> int:
        """0: there is no user"""
    @present.setter
    def present(self, value: int) -> None: ...
    @property
    def body(self) -> int:
        """in contact or grasped, -1: none"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def point(self) -> NDArray[Any]:
        """point of contact, in the world [m]"""
    @point.setter
    def point(self, value: ArrayLike) -> None: ...
    @property
    def force(self) -> NDArray[Any]:
        """of the user on the body, in the last step [N]"""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    @property
    def torque(self) -> NDArray[Any]:
        """the same at point, from a grasp with a rotational stiffness [N m]"""
    @torque.setter
    def torque(self, value: ArrayLike) -> None: ...
    @property
    def buttons(self) -> int:
        """bit per button of the device; the mouse holds with the first"""
    @buttons.setter
    def buttons(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Material:
    """The laws of a contact material."""
    def __init__(self, *, friction: float = ..., kinetic: float = ..., torsion: float = ..., rolling: float = ..., restitution: float = ...) -> None: ...
    @property
    def friction(self) -> float:
        """static Coulomb coefficient, >= 0"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def kinetic(self) -> float:
        """kinetic Coulomb coefficient, 0 to friction"""
    @kinetic.setter
    def kinetic(self, value: float) -> None: ...
    @property
    def torsion(self) -> float:
        """torsional friction: coefficient times radius [m], >= 0"""
    @torsion.setter
    def torsion(self, value: float) -> None: ...
    @property
    def rolling(self) -> float:
        """rolling friction: coefficient times radius [m], >= 0"""
    @rolling.setter
    def rolling(self, value: float) -> None: ...
    @property
    def restitution(self) -> float:
        """share of the normal speed after an impact, 0 to 1"""
    @restitution.setter
    def restitution(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ActuatorGains:
    """Gains of an actuator: force = (gain + gain_rate · (length, velocity)) input + bias · (1, length, velocity), as the arrays actuator_gain, actuator_gain_rate and actuator_bias of the model."""
    def __init__(self, *, gain: float = ..., gain_rate: ArrayLike = ..., bias: ArrayLike = ...) -> None: ...
    @property
    def gain(self) -> float:
        """of the input, in the unit of the actuator"""
    @gain.setter
    def gain(self, value: float) -> None: ...
    @property
    def gain_rate(self) -> NDArray[Any]:
        """of the input times length and velocity, in its unit"""
    @gain_rate.setter
    def gain_rate(self, value: ArrayLike) -> None: ...
    @property
    def bias(self) -> NDArray[Any]:
        """constant, of length and of velocity, in its unit"""
    @bias.setter
    def bias(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class StepMotion:
    """The motion of the last step (with substeps: of its last part). Positions moved from q by q⁺ = q ⊕ h (v_mean + v_correction), up to the errors motion_defect and time_lost of the report."""
    def __init__(self, *, h: float = ...) -> None: ...
    @property
    def h(self) -> float:
        """length of the part [s]"""
    @h.setter
    def h(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Contact:
    """A contact of the last step, with its force."""
    def __init__(self, *, shape_a: int = ..., shape_b: int = ..., body_a: int = ..., body_b: int = ..., pos: ArrayLike = ..., normal: ArrayLike = ..., gap: float = ..., force: ArrayLike = ..., torque: ArrayLike = ..., slip: ArrayLike = ..., state: ContactState | str = ..., middle: int = ..., area: float = ..., offset: ArrayLike = ..., time: float = ..., tangent: ArrayLike = ..., anisotropy: float = ..., friction: float = ..., kinetic: float = ..., torsion: float = ..., rolling: float = ..., bias: float = ..., softness: float = ..., weight: float = ..., residual: float = ..., scale: float = ..., turning: ArrayLike = ...) -> None: ...
    @property
    def shape_a(self) -> int:
        """the two shapes"""
    @shape_a.setter
    def shape_a(self, value: int) -> None: ...
    @property
    def shape_b(self) -> int:
        """the two shapes"""
    @shape_b.setter
    def shape_b(self, value: int) -> None: ...
    @property
    def body_a(self) -> int:
        """their bodies"""
    @body_a.setter
    def body_a(self, value: int) -> None: ...
    @property
    def body_b(self) -> int:
        """their bodies"""
    @body_b.setter
    def body_b(self, value: int) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """halfway between the surfaces, at the start or `middle` of the step [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def normal(self) -> NDArray[Any]:
        """unit, from a to b"""
    @normal.setter
    def normal(self, value: ArrayLike) -> None: ...
    @property
    def gap(self) -> float:
        """distance at the start of the step; negative: depth [m]"""
    @gap.setter
    def gap(self, value: float) -> None: ...
    @property
    def force(self) -> NDArray[Any]:
        """on body b, mean over the step; the opposite acts on body a [N]"""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    @property
    def torque(self) -> NDArray[Any]:
        """on body b at pos, of spinning and rolling friction [N m]"""
    @torque.setter
    def torque(self, value: ArrayLike) -> None: ...
    @property
    def slip(self) -> NDArray[Any]:
        """velocity of b against a along the surface after the step [m/s]"""
    @slip.setter
    def slip(self, value: ArrayLike) -> None: ...
    @property
    def state(self) -> ContactState:
        """open: the force is zero"""
    @state.setter
    def state(self, value: ContactState | str) -> None: ...
    @property
    def middle(self) -> int:
        """1: contact lasts, pos and directions are at HeftStepMotion::q_middle; 0: at the start"""
    @middle.setter
    def middle(self, value: int) -> None: ...
    @property
    def area(self) -> float:
        """that the point represents, of area contact; 0: only a point [m²]"""
    @area.setter
    def area(self, value: float) -> None: ...
    @property
    def offset(self) -> NDArray[Any]:
        """the force acts on b at pos + offset / 2 and on a at pos - offset / 2: places that meet within the step; zero if the bodies touch at its start [m]"""
    @offset.setter
    def offset(self, value: ArrayLike) -> None: ...
    @property
    def time(self) -> float:
        """share of the step after which the bodies meet, 0: they touch at its start"""
    @time.setter
    def time(self, value: float) -> None: ...
    @property
    def tangent(self) -> NDArray[Any]:
        """unit: first direction of friction; the second is normal x tangent"""
    @tangent.setter
    def tangent(self, value: ArrayLike) -> None: ...
    @property
    def anisotropy(self) -> float:
        """friction along the second direction over that along the first [1]"""
    @anisotropy.setter
    def anisotropy(self, value: float) -> None: ...
    @property
    def friction(self) -> float:
        """static coefficient of the step"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def kinetic(self) -> float:
        """kinetic coefficient of the step"""
    @kinetic.setter
    def kinetic(self, value: float) -> None: ...
    @property
    def torsion(self) -> float:
        """coefficients of the torques, times radius [m]"""
    @torsion.setter
    def torsion(self, value: float) -> None: ...
    @property
    def rolling(self) -> float:
        """coefficients of the torques, times radius [m]"""
    @rolling.setter
    def rolling(self, value: float) -> None: ...
    @property
    def bias(self) -> float:
        """added to the normal velocity u_n in the law u_n + bias >= 0 [m/s]"""
    @bias.setter
    def bias(self, value: float) -> None: ...
    @property
    def softness(self) -> float:
        """velocity per impulse that a soft contact point yields; 0: rigid [1/kg]"""
    @softness.setter
    def softness(self, value: float) -> None: ...
    @property
    def weight(self) -> float:
        """w, mean change of velocity per impulse; 0 in an island that sleeps [1/kg]"""
    @weight.setter
    def weight(self, value: float) -> None: ...
    @property
    def residual(self) -> float:
        """error of the law, w |r - P(r - û / w)| (docs/theory/contact.md) [m/s]"""
    @residual.setter
    def residual(self, value: float) -> None: ...
    @property
    def scale(self) -> float:
        """velocity to which the residual is relative [m/s]"""
    @scale.setter
    def scale(self, value: float) -> None: ...
    @property
    def turning(self) -> NDArray[Any]:
        """added to the velocity of b against a in the law, since arms and normal turn during the step (docs/theory/integrators.md); zero without `middle` [m/s]"""
    @turning.setter
    def turning(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ContactPatch:
    """A patch of area contact between two shapes."""
    def __init__(self, *, shape_a: int = ..., shape_b: int = ..., body_a: int = ..., body_b: int = ..., contact_count: int = ..., normal: ArrayLike = ..., center: ArrayLike = ..., area: float = ..., force: float = ..., peak_pressure: float = ...) -> None: ...
    @property
    def shape_a(self) -> int:
        """the two shapes"""
    @shape_a.setter
    def shape_a(self, value: int) -> None: ...
    @property
    def shape_b(self) -> int:
        """the two shapes"""
    @shape_b.setter
    def shape_b(self, value: int) -> None: ...
    @property
    def body_a(self) -> int:
        """their bodies"""
    @body_a.setter
    def body_a(self, value: int) -> None: ...
    @property
    def body_b(self) -> int:
        """their bodies"""
    @body_b.setter
    def body_b(self, value: int) -> None: ...
    @property
    def contact_count(self) -> int:
        """contact points of the patch"""
    @contact_count.setter
    def contact_count(self, value: int) -> None: ...
    @property
    def normal(self) -> NDArray[Any]:
        """unit, from a to b"""
    @normal.setter
    def normal(self, value: ArrayLike) -> None: ...
    @property
    def center(self) -> NDArray[Any]:
        """centre of pressure [m]; zero if there is no force"""
    @center.setter
    def center(self, value: ArrayLike) -> None: ...
    @property
    def area(self) -> float:
        """[m²]"""
    @area.setter
    def area(self, value: float) -> None: ...
    @property
    def force(self) -> float:
        """normal force [N]"""
    @force.setter
    def force(self, value: float) -> None: ...
    @property
    def peak_pressure(self) -> float:
        """largest normal force per area of its points [Pa]"""
    @peak_pressure.setter
    def peak_pressure(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ConstraintForce:
    """The force of a constraint in the last step (with substeps: in the last one)."""
    def __init__(self, *, kind: ConstraintKind | str = ..., index: int = ..., component: int = ..., middle: int = ..., gap: float = ..., force: float = ..., bias: float = ..., weight: float = ..., residual: float = ..., scale: float = ..., axis: ArrayLike = ...) -> None: ...
    @property
    def kind(self) -> ConstraintKind:
        """"""
    @kind.setter
    def kind(self, value: ConstraintKind | str) -> None: ...
    @property
    def index(self) -> int:
        """limits and dry friction: dof; equality: equality; tendon: tendon"""
    @index.setter
    def index(self, value: int) -> None: ...
    @property
    def component(self) -> int:
        """limit: 0 lower, 1 upper; equality: its row, 0 to 5; else 0"""
    @component.setter
    def component(self, value: int) -> None: ...
    @property
    def middle(self) -> int:
        """1: the row is at HeftStepMotion::q_middle, 0: at the start"""
    @middle.setter
    def middle(self, value: int) -> None: ...
    @property
    def gap(self) -> float:
        """distance to the limit, or error of the equality, at the start [m, rad]"""
    @gap.setter
    def gap(self, value: float) -> None: ...
    @property
    def force(self) -> float:
        """limit: away from it, >= 0; dry friction: along the dof or tendon; equality: along its row [N, N m]"""
    @force.setter
    def force(self, value: float) -> None: ...
    @property
    def bias(self) -> float:
        """added to the velocity of the row in its law [m/s, rad/s]"""
    @bias.setter
    def bias(self, value: float) -> None: ...
    @property
    def weight(self) -> float:
        """w, change of velocity per impulse; 0 in an island that sleeps [1/kg, 1/kg m²]"""
    @weight.setter
    def weight(self, value: float) -> None: ...
    @property
    def residual(self) -> float:
        """error of the law, w |r - P(r - u / w)| [m/s, rad/s]"""
    @residual.setter
    def residual(self, value: float) -> None: ...
    @property
    def scale(self) -> float:
        """velocity to which the residual is relative [m/s, rad/s]"""
    @scale.setter
    def scale(self, value: float) -> None: ...
    @property
    def axis(self) -> NDArray[Any]:
        """equality between bodies: direction in which its residual is measured; three rows have three directions. Else zero [1]"""
    @axis.setter
    def axis(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class BodyContact:
    """Contact of a body as a whole in the last step, for any contact model."""
    def __init__(self, *, shape: ContactShape | str = ..., state: ContactState | str = ..., points: int = ..., force: float = ..., center: ArrayLike = ...) -> None: ...
    @property
    def shape(self) -> ContactShape:
        """of the loaded points: none, one, on a line, more"""
    @shape.setter
    def shape(self, value: ContactShape | str) -> None: ...
    @property
    def state(self) -> ContactState:
        """open: no loaded point; sticks: at least one sticks; slips: all slip"""
    @state.setter
    def state(self, value: ContactState | str) -> None: ...
    @property
    def points(self) -> int:
        """number of loaded points"""
    @points.setter
    def points(self, value: int) -> None: ...
    @property
    def force(self) -> float:
        """sum of their normal forces [N]"""
    @force.setter
    def force(self, value: float) -> None: ...
    @property
    def center(self) -> NDArray[Any]:
        """centre of pressure; zero if there is no force [m]"""
    @center.setter
    def center(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class PointTask:
    """Target position of a point of a body and target orientation of the body, in the world."""
    def __init__(self, *, body: int = ..., point: ArrayLike = ..., pos: ArrayLike = ..., velocity: ArrayLike = ..., acceleration: ArrayLike = ..., quat: ArrayLike = ..., move: Gain = ..., turn: Gain = ...) -> None: ...
    @property
    def body(self) -> int:
        """index of the body"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def point(self) -> NDArray[Any]:
        """in the body's frame [m]"""
    @point.setter
    def point(self, value: ArrayLike) -> None: ...
    @property
    def pos(self) -> NDArray[Any]:
        """position [m]"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def velocity(self) -> NDArray[Any]:
        """[m/s]"""
    @velocity.setter
    def velocity(self, value: ArrayLike) -> None: ...
    @property
    def acceleration(self) -> NDArray[Any]:
        """[m/s²]"""
    @acceleration.setter
    def acceleration(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[Any]:
        """"""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def move(self) -> Gain:
        """of position and orientation; weight 0: no task"""
    @move.setter
    def move(self, value: Gain) -> None: ...
    @property
    def turn(self) -> Gain:
        """of position and orientation; weight 0: no task"""
    @turn.setter
    def turn(self, value: Gain) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class BipedDef:
    """Links, sites and gains of a biped."""
    def __init__(self, *, pelvis: int = ..., chest: int = ..., foot: ArrayLike = ..., sole: ArrayLike = ..., friction: float = ..., inset: float = ..., com: Gain = ..., height: Gain = ..., turn: Gain = ..., foot_swing: Gain = ..., foot_stand: Gain = ..., arms: Gain = ..., legs: Gain = ...) -> None: ...
    @property
    def pelvis(self) -> int:
        """bodies; chest -1: the robot has none"""
    @pelvis.setter
    def pelvis(self, value: int) -> None: ...
    @property
    def chest(self) -> int:
        """bodies; chest -1: the robot has none"""
    @chest.setter
    def chest(self, value: int) -> None: ...
    @property
    def foot(self) -> NDArray[Any]:
        """bodies, left and right"""
    @foot.setter
    def foot(self, value: ArrayLike) -> None: ...
    @property
    def sole(self) -> NDArray[Any]:
        """box shapes of the soles, left and right"""
    @sole.setter
    def sole(self, value: ArrayLike) -> None: ...
    @property
    def friction(self) -> float:
        """assumed coefficient of friction, > 0"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def inset(self) -> float:
        """used share of the sole, 0 < inset <= 1; below 1: safety margin"""
    @inset.setter
    def inset(self, value: float) -> None: ...
    @property
    def com(self) -> Gain:
        """"""
    @com.setter
    def com(self, value: Gain) -> None: ...
    @property
    def height(self) -> Gain:
        """"""
    @height.setter
    def height(self, value: Gain) -> None: ...
    @property
    def turn(self) -> Gain:
        """"""
    @turn.setter
    def turn(self, value: Gain) -> None: ...
    @property
    def foot_swing(self) -> Gain:
        """"""
    @foot_swing.setter
    def foot_swing(self, value: Gain) -> None: ...
    @property
    def foot_stand(self) -> Gain:
        """"""
    @foot_stand.setter
    def foot_stand(self, value: Gain) -> None: ...
    @property
    def arms(self) -> Gain:
        """towards the posture: joints above the chest, all other joints"""
    @arms.setter
    def arms(self, value: Gain) -> None: ...
    @property
    def legs(self) -> Gain:
        """towards the posture: joints above the chest, all other joints"""
    @legs.setter
    def legs(self, value: Gain) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class LocalModel:
    """A local model of the surface or the grasped frame, for the servo between steps of the world and for devices that render by themselves. In device coordinates for a driver, in the world for a servo."""
    def __init__(self, *, kind: LocalKind | str = ..., time_ns: int = ..., anchor: ArrayLike = ..., turn: ArrayLike = ..., vel: ArrayLike = ..., spin: ArrayLike = ..., moved: Spatial = ..., normal: ArrayLike = ..., friction: float = ..., stiffness: float = ..., damping: float = ..., rotational_stiffness: float = ..., rotational_damping: float = ..., force_max: float = ..., torque_max: float = ..., steady: ArrayLike = ..., mobility: ArrayLike = ..., force: ArrayLike = ...) -> None: ...
    @property
    def kind(self) -> LocalKind:
        """"""
    @kind.setter
    def kind(self, value: LocalKind | str) -> None: ...
    @property
    def time_ns(self) -> int:
        """time of the model"""
    @time_ns.setter
    def time_ns(self, value: int) -> None: ...
    @property
    def anchor(self) -> NDArray[Any]:
        """end of the spring: proxy, or grasped frame [m]"""
    @anchor.setter
    def anchor(self, value: ArrayLike) -> None: ...
    @property
    def turn(self) -> NDArray[Any]:
        """its rotation"""
    @turn.setter
    def turn(self, value: ArrayLike) -> None: ...
    @property
    def vel(self) -> NDArray[Any]:
        """velocity of the anchor [m/s, rad/s]"""
    @vel.setter
    def vel(self, value: ArrayLike) -> None: ...
    @property
    def spin(self) -> NDArray[Any]:
        """velocity of the anchor [m/s, rad/s]"""
    @spin.setter
    def spin(self, value: ArrayLike) -> None: ...
    @property
    def moved(self) -> Spatial:
        """rotation and displacement of the surface or frame so far [rad, m]"""
    @moved.setter
    def moved(self, value: Spatial) -> None: ...
    @property
    def normal(self) -> NDArray[Any]:
        """surface: unit, outward; no force if the handle is outside"""
    @normal.setter
    def normal(self, value: ArrayLike) -> None: ...
    @property
    def friction(self) -> float:
        """surface: Coulomb's coefficient"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def stiffness(self) -> float:
        """[N/m]"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """[N s/m]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def rotational_stiffness(self) -> float:
        """[N m/rad, N m s/rad]"""
    @rotational_stiffness.setter
    def rotational_stiffness(self, value: float) -> None: ...
    @property
    def rotational_damping(self) -> float:
        """[N m/rad, N m s/rad]"""
    @rotational_damping.setter
    def rotational_damping(self, value: float) -> None: ...
    @property
    def force_max(self) -> float:
        """[N]; 0: no limit"""
    @force_max.setter
    def force_max(self, value: float) -> None: ...
    @property
    def torque_max(self) -> float:
        """[N m]; 0: no limit"""
    @torque_max.setter
    def torque_max(self, value: float) -> None: ...
    @property
    def steady(self) -> NDArray[Any]:
        """constant force in addition to the spring [N]"""
    @steady.setter
    def steady(self, value: ArrayLike) -> None: ...
    @property
    def mobility(self) -> NDArray[Any]:
        """of the body at the contact: velocity per impulse [1/kg]"""
    @mobility.setter
    def mobility(self, value: ArrayLike) -> None: ...
    @property
    def force(self) -> NDArray[Any]:
        """on the handle at time_ns [N]"""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class ProbeState:
    """The complete state of a probe. Plain data."""
    def __init__(self, *, proxy: ArrayLike = ..., placed: int = ..., body: int = ..., holds: int = ..., at: Pose = ..., normal: ArrayLike = ..., friction: float = ..., force: ArrayLike = ..., torque: ArrayLike = ..., depth: float = ..., offset: ArrayLike = ...) -> None: ...
    @property
    def proxy(self) -> NDArray[Any]:
        """centre of the sphere [m]"""
    @proxy.setter
    def proxy(self, value: ArrayLike) -> None: ...
    @property
    def placed(self) -> int:
        """0: the proxy has no position yet"""
    @placed.setter
    def placed(self, value: int) -> None: ...
    @property
    def body(self) -> int:
        """in contact or grasped, -1: none"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def holds(self) -> int:
        """1: grasped"""
    @holds.setter
    def holds(self, value: int) -> None: ...
    @property
    def at(self) -> Pose:
        """contact or grasp frame, in the frame of the body"""
    @at.setter
    def at(self, value: Pose) -> None: ...
    @property
    def normal(self) -> NDArray[Any]:
        """of the surface, outward"""
    @normal.setter
    def normal(self, value: ArrayLike) -> None: ...
    @property
    def friction(self) -> float:
        """of the surface [1]"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def force(self) -> NDArray[Any]:
        """on the hand, of the last step [N]"""
    @force.setter
    def force(self, value: ArrayLike) -> None: ...
    @property
    def torque(self) -> NDArray[Any]:
        """[N m]"""
    @torque.setter
    def torque(self, value: ArrayLike) -> None: ...
    @property
    def depth(self) -> float:
        """of the hand below the surface [m]"""
    @depth.setter
    def depth(self, value: float) -> None: ...
    @property
    def offset(self) -> NDArray[Any]:
        """from the hand to the grasped point [m]"""
    @offset.setter
    def offset(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class MeshDef:
    """Triangles for shapes."""
    def __init__(self, *, name: str = ..., vertices: Any = ..., faces: Any = ..., hull: Any = ..., field: Field = ..., field_spacing: float = ...) -> None: ...
    @property
    def name(self) -> str:
        """"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def vertices(self) -> Any:
        """vertex_count x 3, copied [m]"""
    @vertices.setter
    def vertices(self, value: Any) -> None: ...
    @property
    def faces(self) -> Any:
        """face_count x 3, copied"""
    @faces.setter
    def faces(self, value: Any) -> None: ...
    @property
    def hull(self) -> Any:
        """hull_count x 3, copied"""
    @hull.setter
    def hull(self, value: Any) -> None: ...
    @property
    def field(self) -> Field:
        """a distance shape, samples copied; then the faces approximate it, and the builder makes them if face_count is 0"""
    @field.setter
    def field(self, value: Field) -> None: ...
    @property
    def field_spacing(self) -> float:
        """of the vertices that the builder makes [m]; 0: a share of the size"""
    @field_spacing.setter
    def field_spacing(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class StepReport:
    """Report of a step. Energies are the model's: kinetic, weight, springs of joints and tendons."""
    def __init__(self, *, status: StepStatus | str = ..., contact_count: int = ..., contact_dropped: int = ..., islands: int = ..., sleeping: int = ..., sweeps: int = ..., newton_steps: int = ..., fallbacks: int = ..., residual: float = ..., relative: float = ..., cone: float = ..., gap_power: float = ..., penetration: float = ..., time: float = ..., kinetic: float = ..., potential: float = ..., work: float = ..., contact_work: float = ..., restitution_work: float = ..., damping: float = ..., energy_change: float = ..., inexact: int = ..., moved_work: float = ..., parts: int = ..., restrained: int = ..., restitution_share: float = ..., impact_gain: float = ..., impacts: int = ..., limit_work: float = ..., loop_work: float = ..., friction_work: float = ..., correction_work: float = ..., scheme_work: float = ..., impulse_energy: float = ..., trials: int = ..., soft_energy: float = ..., error: tuple[StepError, ...] = ..., unequal: int = ..., not_unique: int = ..., tries: int = ..., cut: int = ...) -> None: ...
    @property
    def status(self) -> StepStatus:
        """how the step ended"""
    @status.setter
    def status(self, value: StepStatus | str) -> None: ...
    @property
    def contact_count(self) -> int:
        """contact points found"""
    @contact_count.setter
    def contact_count(self, value: int) -> None: ...
    @property
    def contact_dropped(self) -> int:
        """contact points beyond contact_capacity, and pairs of shapes that found no room; every pair that touches keeps some, if possible"""
    @contact_dropped.setter
    def contact_dropped(self, value: int) -> None: ...
    @property
    def islands(self) -> int:
        """groups of bodies that are solved separately"""
    @islands.setter
    def islands(self, value: int) -> None: ...
    @property
    def sleeping(self) -> int:
        """islands among these that did not change and were not solved again"""
    @sleeping.setter
    def sleeping(self, value: int) -> None: ...
    @property
    def sweeps(self) -> int:
        """of the contact solver"""
    @sweeps.setter
    def sweeps(self, value: int) -> None: ...
    @property
    def newton_steps(self) -> int:
        """of the contact solver"""
    @newton_steps.setter
    def newton_steps(self, value: int) -> None: ...
    @property
    def fallbacks(self) -> int:
        """islands that the contact model could not solve and the exact one solved"""
    @fallbacks.setter
    def fallbacks(self, value: int) -> None: ...
    @property
    def residual(self) -> float:
        """certificate: largest contact error, recomputed by separate code [m/s]"""
    @residual.setter
    def residual(self, value: float) -> None: ...
    @property
    def relative(self) -> float:
        """residual relative to the velocities of the problem"""
    @relative.setter
    def relative(self, value: float) -> None: ...
    @property
    def cone(self) -> float:
        """largest distance of a force from its friction cone [N]"""
    @cone.setter
    def cone(self, value: float) -> None: ...
    @property
    def gap_power(self) -> float:
        """largest complementarity error, force times velocity [W]"""
    @gap_power.setter
    def gap_power(self, value: float) -> None: ...
    @property
    def penetration(self) -> float:
        """deepest contact point at the start of the step [m]"""
    @penetration.setter
    def penetration(self, value: float) -> None: ...
    @property
    def time(self) -> float:
        """after the step [s]"""
    @time.setter
    def time(self, value: float) -> None: ...
    @property
    def kinetic(self) -> float:
        """kinetic energy after the step [J]"""
    @kinetic.setter
    def kinetic(self, value: float) -> None: ...
    @property
    def potential(self) -> float:
        """potential energy after the step [J]"""
    @potential.setter
    def potential(self, value: float) -> None: ...
    @property
    def work(self) -> float:
        """done during the step by actuators, joint forces and wrenches [J]"""
    @work.setter
    def work(self, value: float) -> None: ...
    @property
    def contact_work(self) -> float:
        """done during the step by contact points, at the mean velocity relative to moved bodies and conveyors [J]"""
    @contact_work.setter
    def contact_work(self, value: float) -> None: ...
    @property
    def restitution_work(self) -> float:
        """upper bound of the work of restitution: coefficient times approach speed times normal impulse, summed over all impacts [J]"""
    @restitution_work.setter
    def restitution_work(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """energy taken by the dampers of joints and tendons during the step, >= 0 [J]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def energy_change(self) -> float:
        """kinetic + potential after minus before, less all parts of the ledger: work + contact_work + limit_work + loop_work + friction_work + moved_work + correction_work + scheme_work - damping. The defect of the energy balance; zero at rest (docs/theory/integrators.md) [J]"""
    @energy_change.setter
    def energy_change(self, value: float) -> None: ...
    @property
    def inexact(self) -> int:
        """solutions of islands, in all rounds of impacts and all substeps, that do not meet the tolerance; see HEFT_STEP_SOLVED. Plus one if a deadline left out impacts, one if forces of actuators exceed their limits, and one for each island whose restitution a deadline made smaller than the energy requires"""
    @inexact.setter
    def inexact(self, value: int) -> None: ...
    @property
    def moved_work(self) -> float:
        """done during the step by moved bodies and conveyors, through contacts and equalities [J]"""
    @moved_work.setter
    def moved_work(self, value: float) -> None: ...
    @property
    def parts(self) -> int:
        """parts that the substeps were divided into because of fast rotation, or because bodies would have passed through each other, all together; equals the number of substeps if none was divided"""
    @parts.setter
    def parts(self, value: int) -> None: ...
    @property
    def restrained(self) -> int:
        """trees, in all parts, whose kinetic energy was corrected by more than 0.1 % because they turned too fast; see HEFT_STEP_RESTRAINED"""
    @restrained.setter
    def restrained(self, value: int) -> None: ...
    @property
    def restitution_share(self) -> float:
        """smallest share of the coefficients of restitution that the energy of an impact allowed, 0 to 1; 1 without impacts"""
    @restitution_share.setter
    def restitution_share(self, value: float) -> None: ...
    @property
    def impact_gain(self) -> float:
        """largest energy that the impulses on an island added in a round of impacts, at the mean velocity; rounding, and 0 without impacts [J]"""
    @impact_gain.setter
    def impact_gain(self, value: float) -> None: ...
    @property
    def impacts(self) -> int:
        """contact points and joint limits that bounced, in all rounds of impacts"""
    @impacts.setter
    def impacts(self, value: int) -> None: ...
    @property
    def limit_work(self) -> float:
        """done by limits of joints and tendons [J]"""
    @limit_work.setter
    def limit_work(self, value: float) -> None: ...
    @property
    def loop_work(self) -> float:
        """done by equalities [J]"""
    @loop_work.setter
    def loop_work(self, value: float) -> None: ...
    @property
    def friction_work(self) -> float:
        """done by dry friction of joints and tendons [J]"""
    @friction_work.setter
    def friction_work(self, value: float) -> None: ...
    @property
    def correction_work(self) -> float:
        """done by corrections of positions, which lift what has sunk in [J]"""
    @correction_work.setter
    def correction_work(self, value: float) -> None: ...
    @property
    def scheme_work(self) -> float:
        """done by weight, springs and inertia of trees in contact, because their positions move by the velocity of the end of the step: the damping of the scheme of first order [J]"""
    @scheme_work.setter
    def scheme_work(self, value: float) -> None: ...
    @property
    def impulse_energy(self) -> float:
        """kinetic energy that the impulses of all constraints add to the motion without them; <= 0 without restitution and with the exact model. Not a part of the ledger [J]"""
    @impulse_energy.setter
    def impulse_energy(self, value: float) -> None: ...
    @property
    def trials(self) -> int:
        """contact states of feet that the models foot_exact and foot_onestep tried"""
    @trials.setter
    def trials(self, value: int) -> None: ...
    @property
    def soft_energy(self) -> float:
        """that soft contact points and areas of contact store after the step, at the depth that they reach by their velocities; not a part of potential [J]"""
    @soft_energy.setter
    def soft_energy(self, value: float) -> None: ...
    @property
    def error(self) -> tuple[StepError, ...]:
        """by HeftStepQuantity: what the status judges"""
    @error.setter
    def error(self, value: tuple[StepError, ...]) -> None: ...
    @property
    def unequal(self) -> int:
        """solutions of islands, in all rounds and substeps, that are not of equal compliance: their forces are one choice of many if contacts are redundant, and so is their motion if such contacts slip (docs/theory/contact.md)"""
    @unequal.setter
    def unequal(self, value: int) -> None: ...
    @property
    def not_unique(self) -> int:
        """solutions of islands, in all rounds and substeps, for which another motion was found that obeys the law as well"""
    @not_unique.setter
    def not_unique(self, value: int) -> None: ...
    @property
    def tries(self) -> int:
        """solutions of parts that were dropped, because bodies would have passed through each other in them"""
    @tries.setter
    def tries(self, value: int) -> None: ...
    @property
    def cut(self) -> int:
        """1: the deadline of the step ended a search for impulses or left out a part of the step; 0: it has the bits of a step without a deadline, or had none"""
    @cut.setter
    def cut(self, value: int) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class StepTally:
    """Summary of the steps of a run. Begins as {0}."""
    def __init__(self, *, steps: int = ..., inexact: int = ..., dropping: int = ..., dropped: int = ..., rolled_back: int = ..., worst: float = ..., worst_time: float = ..., restrained: int = ..., status: ArrayLike = ..., error: tuple[StepError, ...] = ..., error_time: ArrayLike = ...) -> None: ...
    @property
    def steps(self) -> int:
        """steps, taken or rolled back"""
    @steps.setter
    def steps(self, value: int) -> None: ...
    @property
    def inexact(self) -> int:
        """steps with HeftStepReport::inexact > 0"""
    @inexact.setter
    def inexact(self, value: int) -> None: ...
    @property
    def dropping(self) -> int:
        """steps that dropped contact points"""
    @dropping.setter
    def dropping(self, value: int) -> None: ...
    @property
    def dropped(self) -> int:
        """contact points that they dropped"""
    @dropped.setter
    def dropped(self, value: int) -> None: ...
    @property
    def rolled_back(self) -> int:
        """steps that were rolled back"""
    @rolled_back.setter
    def rolled_back(self, value: int) -> None: ...
    @property
    def worst(self) -> float:
        """largest relative residual of an inexact step"""
    @worst.setter
    def worst(self, value: float) -> None: ...
    @property
    def worst_time(self) -> float:
        """time after that step [s]"""
    @worst_time.setter
    def worst_time(self, value: float) -> None: ...
    @property
    def restrained(self) -> int:
        """steps with HeftStepReport::restrained > 0"""
    @restrained.setter
    def restrained(self, value: int) -> None: ...
    @property
    def status(self) -> NDArray[Any]:
        """steps by HeftStepStatus"""
    @status.setter
    def status(self, value: ArrayLike) -> None: ...
    @property
    def error(self) -> tuple[StepError, ...]:
        """by HeftStepQuantity: the one farthest above its bound; value 0: none was"""
    @error.setter
    def error(self, value: tuple[StepError, ...]) -> None: ...
    @property
    def error_time(self) -> NDArray[Any]:
        """time after that step [s]"""
    @error_time.setter
    def error_time(self, value: ArrayLike) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Coupling:
    """A damped spring between a frame of a body and a target frame in the world. It is integrated implicitly, together with contact, so any stiffness is stable."""
    def __init__(self, *, body: int = ..., at: Pose = ..., target: Pose = ..., velocity: Spatial = ..., stiffness: float = ..., damping: float = ..., rotational_stiffness: float = ..., rotational_damping: float = ..., force_max: float = ..., torque_max: float = ...) -> None: ...
    @property
    def body(self) -> int:
        """body 0 and bodies welded to it: the force is computed, nothing moves"""
    @body.setter
    def body(self, value: int) -> None: ...
    @property
    def at(self) -> Pose:
        """the frame, in the body's frame"""
    @at.setter
    def at(self, value: Pose) -> None: ...
    @property
    def target(self) -> Pose:
        """target of the frame at the end of the step, in the world"""
    @target.setter
    def target(self, value: Pose) -> None: ...
    @property
    def velocity(self) -> Spatial:
        """of the target: angular and linear [rad/s, m/s]"""
    @velocity.setter
    def velocity(self, value: Spatial) -> None: ...
    @property
    def stiffness(self) -> float:
        """[N/m, N s/m], >= 0"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """[N/m, N s/m], >= 0"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def rotational_stiffness(self) -> float:
        """[N m/rad], >= 0; if rotational_damping is 0 too, the body turns freely"""
    @rotational_stiffness.setter
    def rotational_stiffness(self, value: float) -> None: ...
    @property
    def rotational_damping(self) -> float:
        """[N m s/rad], >= 0"""
    @rotational_damping.setter
    def rotational_damping(self, value: float) -> None: ...
    @property
    def force_max(self) -> float:
        """limits of the springs [N, N m]; 0: none"""
    @force_max.setter
    def force_max(self, value: float) -> None: ...
    @property
    def torque_max(self) -> float:
        """limits of the springs [N, N m]; 0: none"""
    @torque_max.setter
    def torque_max(self, value: float) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

class BipedGoal:
    """Goal of a biped at one instant. Plain data: heft_biped_stand() fills it in, the caller changes single fields."""
    def __init__(self, *, com: ArrayLike = ..., com_velocity: ArrayLike = ..., com_acceleration: ArrayLike = ..., pelvis: ArrayLike = ..., chest: ArrayLike = ..., foot: tuple[FootGoal, ...] = ..., posture: Any = ..., point_task_count: int = ..., load_count: int = ..., support_count: int = ..., point_task: tuple[PointTask, ...] = ..., load: tuple[Load, ...] = ..., support: tuple[Support, ...] = ...) -> None: ...
    @property
    def com(self) -> NDArray[Any]:
        """centre of mass [m]"""
    @com.setter
    def com(self, value: ArrayLike) -> None: ...
    @property
    def com_velocity(self) -> NDArray[Any]:
        """its velocity [m/s]"""
    @com_velocity.setter
    def com_velocity(self, value: ArrayLike) -> None: ...
    @property
    def com_acceleration(self) -> NDArray[Any]:
        """its acceleration [m/s²]"""
    @com_acceleration.setter
    def com_acceleration(self, value: ArrayLike) -> None: ...
    @property
    def pelvis(self) -> NDArray[Any]:
        """"""
    @pelvis.setter
    def pelvis(self, value: ArrayLike) -> None: ...
    @property
    def chest(self) -> NDArray[Any]:
        """"""
    @chest.setter
    def chest(self, value: ArrayLike) -> None: ...
    @property
    def foot(self) -> tuple[FootGoal, ...]:
        """left, right"""
    @foot.setter
    def foot(self, value: tuple[FootGoal, ...]) -> None: ...
    @property
    def posture(self) -> Any:
        """target coordinates of the joints [m, rad] (nq); not owned"""
    @posture.setter
    def posture(self, value: Any) -> None: ...
    @property
    def point_task_count(self) -> int:
        """"""
    @point_task_count.setter
    def point_task_count(self, value: int) -> None: ...
    @property
    def load_count(self) -> int:
        """"""
    @load_count.setter
    def load_count(self, value: int) -> None: ...
    @property
    def support_count(self) -> int:
        """"""
    @support_count.setter
    def support_count(self, value: int) -> None: ...
    @property
    def point_task(self) -> tuple[PointTask, ...]:
        """"""
    @point_task.setter
    def point_task(self, value: tuple[PointTask, ...]) -> None: ...
    @property
    def load(self) -> tuple[Load, ...]:
        """"""
    @load.setter
    def load(self, value: tuple[Load, ...]) -> None: ...
    @property
    def support(self) -> tuple[Support, ...]:
        """"""
    @support.setter
    def support(self, value: tuple[Support, ...]) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...

