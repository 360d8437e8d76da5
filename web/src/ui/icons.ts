// SPDX-License-Identifier: Apache-2.0
// Icons as paths in a square of 24 x 24, drawn with the colour of the text.
export const icons = {
  play: 'M7 4v16l13-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  step: 'M5 4v16l10-8zM17 4h3v16h-3z',
  back: 'M19 4v16L9 12zM4 4h3v16H4z',
  reset: 'M12 4a8 8 0 1 1-7.7 5.8l2.4.7A5.5 5.5 0 1 0 12 6.5V10L6.5 5.2 12 .5z',
  menu: 'M3 5h18v2.4H3zM3 10.8h18v2.4H3zM3 16.6h18V19H3z',
  sun: 'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4 5.4 5.4 4l2.8 2.8-1.4 1.4zM15.8 17.2l1.4-1.4L20 18.6 18.6 20zM4 18.6l2.8-2.8 1.4 1.4L5.4 20zM15.8 6.8 18.6 4 20 5.4l-2.8 2.8z',
  camera: 'M12 5c5 0 9 4.500 10.500 7-1.500 2.500-5.500 7-10.500 7S3 14.500 1.500 12C3 9.500 7 5 12 5zm0 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  plots: 'M3 3h2v16h16v2H3zM7 16l4-6 4 3 5-8 1.600 1.100-6 9.900-4-3-3 4.500z',
  show: 'M11 2h2v12h4l-5 8-5-8h4z',
  help: 'M11 17h2.400v2.400H11zM12 4a5 5 0 0 1 5 5c0 3-3.600 3.500-3.800 6h-2.400c.1-3.700 3.700-3.700 3.700-6a2.500 2.500 0 0 0-5 0H7a5 5 0 0 1 5-5z',
  settings: 'M4 6h9v2H4zM17 6h3v2h-3zM13 4h2.500v6H13zM4 11h3v2H4zM11 11h9v2h-9zM7.500 9H10v6H7.500zM4 16h9v2H4zM17 16h3v2h-3zM13 14h2.500v6H13z',
  joints: 'M6 2a4 4 0 0 1 3.900 5l3.500 5.300a4 4 0 1 1-1.700 1.100L8.200 8.100A4 4 0 1 1 6 2z',
  report: 'M12 2 4 5v6c0 5 3.400 9.300 8 11 4.600-1.700 8-6 8-11V5zm-1.200 14-4-4 1.700-1.700 2.300 2.300 5-5L17.500 9.300z',
  share: 'M17 2a3.500 3.500 0 1 1-2.700 5.700L9.500 10.500a3.500 3.500 0 0 1 0 3l4.800 2.800a3.500 3.500 0 1 1-1 1.700l-4.800-2.800a3.500 3.500 0 1 1 0-6.400l4.800-2.800A3.500 3.500 0 0 1 17 2z',
  open: 'M2 5h7l2 2h9v3H7l-3 9H2zM8.400 12H23l-3 8H5.600z',
} as const;

export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}
