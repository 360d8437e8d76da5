// SPDX-License-Identifier: Apache-2.0
// The gallery: cases of `heft validate` that run in the page, the exact answer beside the measured one.
import './gallery.css';
import { card, casesOf } from './card';

const place = document.getElementById('cases')!;
casesOf('./cases/')
  .then((cases) => place.replaceChildren(...cases.map((live) => card(live, './cases/'))))
  .catch((error: Error) => (place.textContent = error.message));
