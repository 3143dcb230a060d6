import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compressedEndings } from "../serve/built-page.ts";

/** In bytes, as gzip leaves them. */
export type PageSizes = {
  /** The script and the stylesheet that every visit loads, with the overview. */
  firstScript: number;
  firstStyle: number;
  screens: ReadonlyMap<string, number>;
  all: number;
};

const kilobyte = 1000;

/** What people on a telephone wait for (docs/adr/0066, docs/adr/0080). */
export const pageBudget = {
  firstScript: 220 * kilobyte,
  firstStyle: 15 * kilobyte,
  screen: 25 * kilobyte,
  all: 450 * kilobyte,
} as const;

type Chunk = { file: string; css?: string[]; imports?: string[]; isEntry?: boolean };
type Manifest = Readonly<Record<string, Chunk>>;

const screenName = /^browser\/screens\/(\w+)\/screen\.tsx$/;

/** Of a built page; from the manifest that Vite leaves in it. */
export async function measurePage(folder: string): Promise<PageSizes> {
  const manifest = JSON.parse(await readFile(join(folder, ".vite/manifest.json"), "utf8")) as Manifest;
  const files = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  const sizes = new Map<string, number>();
  for (const file of files) {
    if (/\.(?:js|css)$/.test(file)) {
      sizes.set(file, (await readFile(join(folder, file + compressedEndings.gzip))).length);
    }
  }
  const sum = (wanted: Iterable<string>, ending: RegExp): number =>
    [...wanted].reduce((total, file) => total + (ending.test(file) ? (sizes.get(file) ?? 0) : 0), 0);
  const entry = filesOf(manifest, "index.html").union(filesOf(manifest, "browser/main.tsx"));
  const screens = Object.keys(manifest).filter((key) => screenName.test(key));
  const added = (key: string): Set<string> => filesOf(manifest, key).difference(entry);
  return {
    firstScript: sum(entry, /\.js$/) + sum(added("browser/screens/overview/screen.tsx"), /\.js$/),
    firstStyle: sum(entry, /\.css$/),
    screens: new Map(screens.map((key) => [screenName.exec(key)?.[1] ?? key, sum(added(key), /./)])),
    all: sum(sizes.keys(), /./),
  };
}

/** A chunk with all that it imports before it runs. */
function filesOf(manifest: Manifest, key: string, seen: Set<string> = new Set()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) {
    return seen;
  }
  seen.add(chunk.file);
  for (const file of chunk.css ?? []) {
    seen.add(file);
  }
  for (const one of chunk.imports ?? []) {
    filesOf(manifest, one, seen);
  }
  return seen;
}

export function judgeSizes({ firstScript, firstStyle, screens, all }: PageSizes): string[] {
  const parts: [name: string, bytes: number, most: number][] = [
    ["the script of the first visit", firstScript, pageBudget.firstScript],
    ["the stylesheet", firstStyle, pageBudget.firstStyle],
    ["all of it", all, pageBudget.all],
    ...[...screens].map(([name, bytes]): [string, number, number] => [`the screen ${name}`, bytes, pageBudget.screen]),
  ];
  return parts
    .filter(([, bytes, most]) => bytes > most)
    .map(([name, bytes, most]) => `${name} has ${kilobytes(bytes)} kB, and may have ${kilobytes(most)}`);
}

export function kilobytes(bytes: number): string {
  return (bytes / kilobyte).toFixed(1);
}
