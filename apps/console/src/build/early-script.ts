import { join } from "node:path";
import type { Plugin } from "vite";
import { workspace } from "../folders.ts";

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
