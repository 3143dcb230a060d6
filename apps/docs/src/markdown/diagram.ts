import { instance } from "@viz-js/viz";
import { escapeHtml } from "../html/escape-html.ts";

/** Draws a block of DOT as an SVG that stands in the page. Throws when the text is no DOT. */
export type DiagramRenderer = (dot: string, title: string) => string;

/** Graphviz measures by this font, which ours fits into. The stylesheet colours. */
const fontname = "Helvetica";

const options = {
  format: "svg",
  graphAttributes: { bgcolor: "transparent", pad: 0.1, nodesep: 0.6, ranksep: 0.55 },
  nodeAttributes: { fontname, fontsize: 14, shape: "box", style: "rounded", margin: "0.24,0.11" },
  edgeAttributes: { fontname, fontsize: 12, arrowsize: 0.8 },
};

/** Graphviz, compiled to WebAssembly: it draws while the site is built, and nothing of it comes with the page. */
export async function createDiagramRenderer(): Promise<DiagramRenderer> {
  const graphviz = await instance();
  return (dot, title) => {
    const svg = graphviz.renderString(dot, options);
    const [, width = "", height = ""] = /<svg width="([\d.]+)pt" height="([\d.]+)pt"/.exec(svg) ?? [];
    const drawing = svg
      .slice(svg.indexOf("<g "), svg.lastIndexOf("</svg>"))
      .replaceAll(/<!--[\s\S]*?-->|<title>[\s\S]*?<\/title>/g, "")
      // Two diagrams of a page would share them.
      .replaceAll(/ id="[^"]*"/g, "")
      .replaceAll(/\n\s*/g, "\n");
    const words = `<title>${escapeHtml(title)}</title><desc>The table next to it says the same in words.</desc>`;
    return `<figure class="diagram"><svg role="img" aria-label="${escapeHtml(title)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${words}\n${drawing}</svg></figure>\n`;
  };
}
