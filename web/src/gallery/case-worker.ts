// SPDX-License-Identifier: Apache-2.0
// The Worker of a live case: a Session whose steps are measured by gauges.
import { Session } from 'heft/session';
import type { Frame } from 'heft/remote';
import { Gauge, type GaugeRow, type Readings } from './gauges';

class CaseSession extends Session {
  private rows: GaugeRow[] = [];
  private wanted = 0;
  private taken = 0;
  private disturbed = false;
  private gauges: Gauge[] = [];

  /** Measures these rows, from the next reset on. */
  on_gauges({ rows, steps }: { rows: GaugeRow[]; steps: number }): void {
    Object.assign(this, { rows, wanted: steps });
  }

  override on_reset(message: { key?: string | number }): Frame {
    super.on_reset(message);
    this.taken = 0;
    this.disturbed = false;
    this.gauges = this.rows.map((row) => new Gauge(row, this.world!, 0));
    return this.frame();
  }

  override stepOnce(): void {
    super.stepOnce();
    if (this.taken >= this.wanted) return;
    ++this.taken;
    const energy = this.report ? this.report.kinetic + this.report.potential : 0;
    for (const gauge of this.gauges) gauge.step(this.world!, energy);
  }

  override on_pull(message: Record<string, unknown>): void {
    if (message.body !== undefined && this.taken < this.wanted) this.disturbed = true;
    super.on_pull(message);
  }

  override frame(): Frame & { readings: Readings } {
    const { taken, wanted, disturbed, gauges } = this;
    return { ...super.frame(), readings: { steps: taken ?? 0, done: wanted > 0 && taken >= wanted, disturbed, values: (gauges ?? []).map((gauge) => gauge.value) } };
  }
}

const session = new CaseSession((message) => self.postMessage(message));
self.onmessage = (event) => void session.receive(event.data);
self.postMessage({ type: 'ready' });
