/** Making elements of SVG. */

export function svgText(text: string, attributes: Record<string, string | number>): SVGElement {
  const made = svgElement('text', attributes);
  made.textContent = text;
  return made;
}

export function svgElement(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
