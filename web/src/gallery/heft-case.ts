// SPDX-License-Identifier: Apache-2.0
// <heft-case name="slope-sticks" folder="heft/cases/"></heft-case>: one case of the gallery in any page (docs/manual/javascript.md).
import { card, casesOf } from './card';

const known = new Map<string, ReturnType<typeof casesOf>>();

export class HeftCase extends HTMLElement {
  connectedCallback(): void {
    if (!this.firstChild) void this.fill();
  }

  private async fill(): Promise<void> {
    const folder = this.getAttribute('folder') ?? './cases/', name = this.getAttribute('name');
    if (!known.has(folder)) known.set(folder, casesOf(folder));
    try {
      const cases = await known.get(folder)!;
      const live = cases.find((one) => one.name === name);
      if (!live) throw new Error(`there is no case "${name}"; there are ${cases.map((one) => one.name).join(', ')}`);
      this.replaceChildren(card(live, folder));
    } catch (error) {
      this.textContent = (error as Error).message;
    }
  }
}

customElements.define('heft-case', HeftCase);
