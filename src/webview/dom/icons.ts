/** The toolbar's icons: our own 16 x 16 line drawings, in the text colour. */

const PATHS = {
  zoomIn: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.4 10.4 14 14M5 7h4M7 5v4',
  zoomOut: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.4 10.4 14 14M5 7h4',
  fit: 'M2.5 3v10M13.5 3v10M5 8h6M6.8 5.8 4.6 8l2.2 2.2M9.2 5.8 11.4 8l-2.2 2.2',
  details: 'M2.5 3h11v10h-11ZM2.5 9h11',
  help: 'M8 14.2A6.2 6.2 0 1 1 8 1.8a6.2 6.2 0 0 1 0 12.4ZM6.2 6.3a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2M8 11.2v.3',
  next: 'M4 6l4 4 4-4',
  previous: 'M4 10l4-4 4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  info: 'M8 14.2A6.2 6.2 0 1 1 8 1.8a6.2 6.2 0 0 1 0 12.4ZM8 7.4v3.8M8 4.8v.4',
  pin: 'M6 2.5h4l-.6 4 2.1 2.5h-7L6.6 6.5ZM8 9v4.5',
  hide: 'M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4ZM3 13 13 3',
  base: 'M8 2.5v11M3 5h10M3 5 1.5 9h3ZM13 5l-1.5 4h3ZM5.5 13.5h5',
  tracks: 'M2.5 4h3M2.5 8h3M2.5 12h3M8 4h5.5M8 8h5.5M8 12h5.5',
  settings: 'M3 4.5h6M12 4.5h1M3 11.5h1M7 11.5h6M10.5 3v3M5.5 10v3',
  box: 'M3 5V3h2M11 3h2v2M13 11v2h-2M5 13H3v-2M6.5 6.5h3v3h-3Z',
  chevron: 'M5.5 4l4 4-4 4',
  back: 'M9.5 4l-4 4 4 4',
} as const;

export type IconName = keyof typeof PATHS;

const SVG = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [key, value] of Object.entries({ viewBox: '0 0 16 16', width: '16', height: '16', class: 'icon', 'aria-hidden': 'true' }))
    svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
