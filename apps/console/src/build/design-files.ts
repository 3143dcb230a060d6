import { listFontFiles, logoSvg } from "@gateway/design";
import type { Plugin } from "vite";

/** Fonts where the stylesheet of packages/design names them, and the logo as a file of its own. */
export function designFiles(): Plugin {
  return {
    name: "design-files",
    enforce: "pre",
    transform: (code, id) =>
      id.endsWith("/design/src/tokens.css")
        ? listFontFiles().reduce((text, { name, file }) => text.replaceAll(`url("${name}")`, `url("${file}")`), code)
        : null,
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "logo.svg", source: logoSvg });
    },
  };
}
