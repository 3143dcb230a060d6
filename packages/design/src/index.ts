export { listFontFiles, type FontFile } from "./font-files.ts";
export { logoSvg } from "./logo.ts";
export { readBaseStylesheet } from "./stylesheet.ts";
