import { instance } from "@viz-js/viz";
import { escapeHtml } from "../html/escape-html.ts";

/** Draws a block of DOT as an inline SVG. Throws when the source is not valid DOT. */
export type DiagramRenderer = (dot: string, title: string) => string;

/** Graphviz measures text in this font, which ours fits into. The stylesheet sets the colours. */
const fontname = "Helvetica";

const options = {
  format: "svg",
  graphAttributes: { bgcolor: "transparent", pad: 0.1, nodesep: 0.6, ranksep: 0.55 },
  nodeAttributes: { fontname, fontsize: 14, shape: "box", style: "rounded", margin: "0.24,0.11" },
  edgeAttributes: { fontname, fontsize: 12, arrowsize: 0.8 },
};

/** Runs Graphviz, compiled to WebAssembly, while the site is built. Pages contain only its drawings. */
export async function createDiagramRenderer(): Promise<DiagramRenderer> {
  const graphviz = await instance();
  return (dot, title) => {
    const svg = graphviz.renderString(dot, options);
    const [, width = "", height = ""] = /<svg width="([\d.]+)pt" height="([\d.]+)pt"/.exec(svg) ?? [];
    const drawing = svg
      .slice(svg.indexOf("<g "), svg.lastIndexOf("</svg>"))
      .replaceAll(/<!--[\s\S]*?-->|<title>[\s\S]*?<\/title>/g, "")
      // Two diagrams of a page would have the same ids.
      .replaceAll(/ id="[^"]*"/g, "")
      .replaceAll(/\n\s*/g, "\n");
    const words = `<title>${escapeHtml(title)}</title><desc>The table next to it says the same in words.</desc>`;
    return `<figure class="diagram"><svg role="img" aria-label="${escapeHtml(title)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${words}\n${drawing}</svg></figure>\n`;
  };
}
