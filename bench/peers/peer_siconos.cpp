// SPDX-License-Identifier: Apache-2.0
// Siconos behind a pipe: Moreau-Jean time stepping, contact points of Bullet, nonsmooth
// Gauss-Seidel to 1e-8 with at most 10,000 sweeps, warm starts; the rest as it comes. A simulation
// is built before the first step, and anew when a body was placed since.
#include <BulletR.hpp>
#include <FrictionContact.hpp>
#include <MoreauJeanOSI.hpp>
#include <NewtonImpactFrictionNSL.hpp>
#include <NonSmoothDynamicalSystem.hpp>
#include <RigidBodyDS.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosContactor.hpp>
#include <SiconosShape.hpp>
#include <SiconosVector.hpp>
#include <SimpleMatrix.hpp>
#include <SolverOptions.h>
#include <TimeDiscretisation.hpp>
#include <TimeStepping.hpp>
#include <Topology.hpp>
#include <algorithm>
#include <memory>
#include <unistd.h>
#include <vector>

#include "bodies.h"

namespace {

// Position and velocity of a centre of mass, with the angular velocity in the body's own axes, as
// Siconos has it.
struct Body {
  double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  double push[3] = {0};
  SP::RigidBodyDS ds;
  SP::SiconosVector force;
};

struct World {
  std::vector<Body> bodies;
  SP::SiconosBulletCollisionManager manager;
  SP::NonSmoothDynamicalSystem system;
  SP::TimeStepping simulation;
};

std::unique_ptr<World> w;

SP::SiconosVector vector_of(const double* x, unsigned count) {
  SP::SiconosVector out(new SiconosVector(count));
  for (unsigned i = 0; i < count; ++i) (*out)(i) = x[i];
  return out;
}

// Planes are the upper faces of large boxes: Bullet shakes what touches a plane, to find more
// points, and a ball that rolls is then steered aside.
const double ground = 5;

SP::SiconosShape make_shape(const HeftModel* m, int shape) {
  const double* size = m->shape_size + 3L * shape;
  SP::SiconosShape out;
  double least = size[0];
  switch (m->shape_type[shape]) {
    case HEFT_SHAPE_PLANE:
      out.reset(new SiconosBox(100, 100, 2 * ground));
      least = 1;
      break;
    case HEFT_SHAPE_SPHERE:
      out.reset(new SiconosSphere(float(size[0])));
      break;
    case HEFT_SHAPE_BOX:
      out.reset(new SiconosBox(2 * size[0], 2 * size[1], 2 * size[2]));
      least = std::min(size[0], std::min(size[1], size[2]));
      break;
    default:
      return out;
  }
  out->setInsideMargin(0.04 * least);
  out->setOutsideMargin(0);
  return out;
}

// Shapes of a body, about its centre of mass; of the world if it is 0.
const char* contactors_of(const HeftModel* m, int body, SP::SiconosContactorSet* out) {
  out->reset(new SiconosContactorSet());
  for (int i = 0; i < m->nshape; ++i) {
    if (m->shape_body[i] != body || !bodies_collides(m, i)) continue;
    SP::SiconosShape shape = make_shape(m, i);
    if (!shape) return "a shape that it does not have";
    double at[7];
    for (int k = 0; k < 3; ++k) at[k] = m->shape_pos[3L * i + k] - m->body_com[3L * body + k];
    memcpy(at + 3, m->shape_quat + 4L * i, 4 * sizeof *at);
    if (m->shape_type[i] == HEFT_SHAPE_PLANE) {
      const double down[3] = {0, 0, -ground};
      double turned[3];
      bodies_turn(at + 3, down, turned);
      for (int k = 0; k < 3; ++k) at[k] += turned[k];
    }
    (*out)->push_back(
        std::make_shared<SiconosContactor>(shape, vector_of(at, 7), m->shape_material[i]));
  }
  return nullptr;
}

const char* add_body(const HeftModel* m, int number) {
  Body& b = w->bodies[size_t(number)];
  SP::SiconosContactorSet contactors;
  const char* reason = contactors_of(m, number, &contactors);
  if (reason) return reason;
  SP::SimpleMatrix inertia(new SimpleMatrix(3, 3));
  inertia->zero();
  for (unsigned k = 0; k < 3; ++k) (*inertia)(k, k) = m->body_inertia[6L * number + k];
  b.ds.reset(new RigidBodyDS(vector_of(b.q, 7), vector_of(b.v, 6), m->body_mass[number], inertia));
  b.ds->setContactors(contactors);
  b.force.reset(new SiconosVector(3));
  b.ds->setFExtPtr(b.force);
  w->system->insertDynamicalSystem(b.ds);
  return nullptr;
}

// The larger friction and restitution of a pair, as everywhere.
void add_laws(const HeftModel* m) {
  for (int i = 0; i < m->nmaterial; ++i) {
    for (int j = i; j < m->nmaterial; ++j) {
      const double e = std::max(m->material_restitution[i], m->material_restitution[j]),
                   mu = std::max(m->material_friction[i], m->material_friction[j]);
      SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(e, 0, mu, 3));
      w->manager->insertNonSmoothLaw(law, unsigned(i), unsigned(j));
    }
  }
}

const char* build() {
  const HeftModel* m = bodies_model;
  SP::SiconosContactorSet ground;
  w->system.reset(new NonSmoothDynamicalSystem(0, 1e9));
  w->manager.reset(new SiconosBulletCollisionManager());
  const char* reason = contactors_of(m, 0, &ground);
  if (!reason) w->manager->insertStaticContactorSet(ground);
  for (int i = 1; i < m->nbody && !reason; ++i) reason = add_body(m, i);
  if (reason) return reason;
  add_laws(m);
  SP::TimeDiscretisation times(new TimeDiscretisation(0, m->physics.time_step));
  SP::MoreauJeanOSI scheme(new MoreauJeanOSI(0.5));
  SP::FrictionContact problem(new FrictionContact(3));
  problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-8;
  problem->setMStorageType(NM_SPARSE_BLOCK);
  problem->setMaxSize(16384);
  problem->setKeepLambdaAndYState(true);
  w->simulation.reset(new TimeStepping(w->system, times));
  w->simulation->insertIntegrator(scheme);
  w->simulation->insertNonSmoothProblem(problem);
  w->simulation->insertInteractionManager(w->manager);
  return nullptr;
}

void keep_states() {
  for (size_t i = 1; i < w->bodies.size() && w->simulation; ++i) {
    Body& b = w->bodies[i];
    for (unsigned k = 0; k < 7; ++k) b.q[k] = (*b.ds->q())(k);
    for (unsigned k = 0; k < 6; ++k) b.v[k] = (*b.ds->twist())(k);
  }
}

bool known(int body) { return w && body > 0 && body < bodies_model->nbody; }

int number_of(const SP::DynamicalSystem& ds) {
  for (size_t i = 1; i < w->bodies.size(); ++i) {
    if (w->bodies[i].ds == ds) return int(i);
  }
  return 0;
}

}  // namespace

const char* peer_open(const char* path, const PeerSettings* s, double* step) {
  const char* reason = bodies_load(path, s);
  if (reason) return reason;
  const HeftModel* m = bodies_model;
  w.reset(new World);
  w->bodies.resize(size_t(m->nbody));
  for (int i = 1; i < m->nbody; ++i) {
    double x[13] = {0};
    memcpy(x, m->body_pos + 3L * i, 3 * sizeof *x);
    memcpy(x + 3, m->body_quat + 4L * i, 4 * sizeof *x);
    peer_place(i, x);
  }
  for (int i = 0; i < m->nshape; ++i) {
    if (bodies_collides(m, i) && !make_shape(m, i)) return "a shape that it does not have";
  }
  *step = m->physics.time_step;
  return nullptr;
}

void peer_close(void) {
  w.reset();
  heft_model_destroy(bodies_model);
  bodies_model = nullptr;
}

int peer_read(int body, double x[13]) {
  if (!known(body)) return 0;
  keep_states();
  const Body& b = w->bodies[size_t(body)];
  double c[13];
  memcpy(c, b.q, sizeof b.q);
  memcpy(c + 7, b.v, 3 * sizeof *c);
  bodies_turn(b.q + 3, b.v + 3, c + 10);
  bodies_from_com(body, c, x);
  return 1;
}

int peer_place(int body, const double x[13]) {
  if (!known(body)) return 0;
  double c[13];
  keep_states();
  w->simulation.reset();
  bodies_to_com(body, x, c);
  Body& b = w->bodies[size_t(body)];
  const double back[4] = {c[3], -c[4], -c[5], -c[6]};
  memcpy(b.q, c, sizeof b.q);
  memcpy(b.v, c + 7, 3 * sizeof *c);
  bodies_turn(back, c + 10, b.v + 3);
  return 1;
}

int peer_hold(double stiffness, double damping) {
  (void)stiffness, (void)damping;
  return 0;
}

int peer_push(int body, const double force[3]) {
  if (!known(body)) return 0;
  memcpy(w->bodies[size_t(body)].push, force, 3 * sizeof *force);
  return 1;
}

int peer_step(int count) {
  if (!w || (!w->simulation && build())) return 0;
  const HeftModel* m = bodies_model;
  for (int i = 1; i < m->nbody; ++i) {
    Body& b = w->bodies[size_t(i)];
    for (unsigned k = 0; k < 3; ++k)
      (*b.force)(k) = b.push[k] + m->body_mass[i] * m->physics.gravity[k];
  }
  for (int n = 0; n < count; ++n) {
    w->simulation->computeOneStep();
    w->simulation->nextStep();
  }
  return 1;
}

// Goes through the contacts that acted in the last step.
template <typename Visit>
static void each_contact(Visit visit) {
  SP::InteractionsGraph graph = w->system->topology()->indexSet(1);
  InteractionsGraph::VIterator at, end;
  for (std::tie(at, end) = graph->vertices(); at != end; ++at) {
    SP::Interaction contact = graph->bundle(*at);
    visit(contact, number_of(graph->properties(*at).source),
          number_of(graph->properties(*at).target));
  }
}

int peer_contacts(void) {
  int count = 0;
  if (w && w->simulation) each_contact([&](const SP::Interaction&, int, int) { ++count; });
  return count;
}

// A contact's impulse points to the first body, as its normal does.
int peer_contact(int contact, double x[PEER_CONTACT]) {
  int done = 0;
  each_contact([&](const SP::Interaction& c, int one, int two) {
    const auto relation = std::dynamic_pointer_cast<ContactR>(c->relation());
    if (contact-- != 0 || !relation) return;
    x[0] = two == one ? 0 : two;  // against the world
    x[1] = one;
    for (unsigned k = 0; k < 3; ++k) {
      x[2 + k] = (*relation->pc1())(k);  // where it applies the force to both bodies
      x[5 + k] = (*relation->nc())(k);
      x[8 + k] = (*relation->contactForce())(k) / bodies_model->physics.time_step;
    }
    done = 1;
  });
  return done;
}

// Siconos prints on the standard output, which carries the answers: its output is discarded, and
// the answers use a stream of their own.
int main() {
  peer_out = fdopen(dup(STDOUT_FILENO), "w");
  FILE* nobody = fopen("/dev/null", "w");
  if (!peer_out || !nobody) return 1;
  dup2(fileno(nobody), STDOUT_FILENO);
  return peer_serve();
}
