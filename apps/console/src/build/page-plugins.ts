import { join } from "node:path";
import type { Plugin } from "vite";
import { workspace } from "../folders.ts";
import { listFontFiles, logoSvg } from "@gateway/design";
import { dirname, relative } from "node:path/posix";

const source = join(workspace, "browser/ask-session.ts");

/** Builds `browser/ask-session.ts` as a file of its own, and names it before anything else of the page. */
export function earlyScript(): Plugin {
  return {
    name: "early-script",
    apply: "build",
    buildStart() {
      this.emitFile({ type: "chunk", id: source, name: "ask-session" });
    },
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle)
          .filter((file) => file.type === "chunk" && file.facadeModuleId === source)
          .map(({ fileName }) => ({
            tag: "script",
            attrs: { type: "module", async: true, crossorigin: true, src: `/${fileName}` },
            injectTo: "head-prepend" as const,
          })),
    },
  };
}

/** Fonts where the stylesheet of packages/design names them, and the logo as a file of its own. */
export function designFiles(): Plugin {
  return {
    name: "design-files",
    enforce: "pre",
    // Only what a script imports comes by here: a stylesheet that another one imports does not.
    transform: (code, id) =>
      id.endsWith("/design/src/tokens.css")
        ? listFontFiles().reduce(
            (text, { name, file }) => text.replaceAll(`url("${name}")`, `url("${relative(dirname(id), file)}")`),
            code,
          )
        : null,
    transformIndexHtml: {
      order: "post",
      // A font that comes late is not shown (`font-display: optional`), so the one of the text is asked for at once,
      // yet after the program.
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => /inter.*\.woff2$/.test(name))
          .map((name) => ({
            tag: "link",
            attrs: {
              rel: "preload",
              href: `/${name}`,
              as: "font",
              type: "font/woff2",
              crossorigin: true,
              fetchpriority: "low",
            },
            injectTo: "head" as const,
          })),
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "logo.svg", source: logoSvg });
    },
  };
}
