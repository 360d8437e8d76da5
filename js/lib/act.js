// SPDX-License-Identifier: Apache-2.0
// A robot that acts: an act of Heft's experiments sets the controls of a world before each step, as `heft view walk` does natively,
// with the same bits. Its data is part of the snapshots of its world.

export class Act {
  /** The act of a set of plug-ins that exists. */
  constructor(heft, pointer) {
    Object.assign(this, { heft, pointer, size: 0 });
  }

  /** spec: the name of an act, and options behind it: 'walk', 'walk:steps=20,length=0.1'. */
  static create(heft, spec) {
    const { c, memory } = heft;
    const [name, options = ''] = String(spec).split(/:(.*)/s);
    return memory.with([4, name, options], (out, text, given) => {
      heft.call((error) => c.heft_js_act_create(out, text, given, error));
      return new Act(heft, memory.uint32(out));
    });
  }

  /** Acts in this world from now on, with the data that it has. */
  attach(world) {
    this.heft.call((error) => this.heft.c.heft_plugin_set_attach(this.pointer, world.pointer, error));
    this.size = this.heft.c.heft_plugin_set_save_size(this.pointer);
  }

  /** Begins anew, and sets its world to the pose with which it begins. */
  reset() {
    this.heft.call((error) => this.heft.c.heft_plugin_set_reset(this.pointer, error));
  }

  /** Sets the controls of the coming step. */
  before() {
    this.heft.call((error) => this.heft.c.heft_plugin_set_before_step(this.pointer, error));
  }

  /** Sees what a step did: the address of its report. */
  after(report) {
    this.heft.c.heft_plugin_set_after_step(this.pointer, report);
  }

  /** Name and options. */
  get spec() {
    const { c, memory } = this.heft;
    return memory.with([400], (at) => memory.text(c.heft_plugin_set_spec(this.pointer, 0, at, 400)));
  }

  /** A snapshot of the world with the data of the act behind it. */
  add(snapshot) {
    const { c, memory } = this.heft;
    const out = new Uint8Array(snapshot.length + this.size);
    out.set(snapshot);
    memory.with([this.size], (at) => {
      c.heft_plugin_set_save(this.pointer, at);
      out.set(memory.bytes(at, this.size), snapshot.length);
    });
    return out;
  }

  /** The two parts of such a snapshot: of the world, and of the act. */
  split(bytes) {
    if (bytes.length < this.size) throw new RangeError('the snapshot has no data of the act');
    return [bytes.subarray(0, bytes.length - this.size), bytes.subarray(bytes.length - this.size)];
  }

  restore(bytes) {
    const { c, memory } = this.heft;
    memory.with([bytes], (at) => this.heft.check(c.heft_plugin_set_restore(this.pointer, at, bytes.length), 'the data of the act'));
  }

  close() {
    if (this.pointer) this.heft.c.heft_plugin_set_destroy(this.pointer);
    this.pointer = 0;
  }
}
