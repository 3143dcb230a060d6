import { fileURLToPath } from "node:url";

const packages = {
  "inter.woff2": "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  "jetbrains-mono.woff2": "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
};

export type FontFile = { name: string; file: string };

/** The fonts by the names that the stylesheet has for them, and where they lie on this machine. */
export function listFontFiles(): FontFile[] {
  return Object.entries(packages).map(([name, specifier]) => ({
    name,
    file: fileURLToPath(import.meta.resolve(specifier)),
  }));
}
