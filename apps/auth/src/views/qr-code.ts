import encodeQR from "qr";
import { html, type Html } from "./html.ts";

/** Modules of nothing around it, which readers need (ISO/IEC 18004, 6.3.8). */
const margin = 4;

/** Dark on light in every scheme, for not all apps read it the other way round. */
export function renderQrCode(text: string, label: string): Html {
  const rows = encodeQR(text, "raw", { border: margin });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  const size = rows.length;
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#ffffff" />
    <path d="${path}" fill="#000000" />
  </svg>`;
}
