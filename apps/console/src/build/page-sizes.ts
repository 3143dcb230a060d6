import { compressedEndings } from "@gateway/process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesOf, type Manifest } from "../serve/built-page.ts";

/** Sizes in bytes, after gzip. */
export type PageSizes = {
  /** The script and the stylesheet that every visit loads, with the overview. */
  firstScript: number;
  firstStyle: number;
  screens: ReadonlyMap<string, number>;
  all: number;
};

const kilobyte = 1000;

/** Limits for people who wait for the page on a phone (docs/adr/0066, docs/adr/0080). */
const pageBudget = {
  firstScript: 220 * kilobyte,
  firstStyle: 15 * kilobyte,
  screen: 25 * kilobyte,
  all: 450 * kilobyte,
} as const;

const screenName = /^browser\/screens\/(\w+)\/screen\.tsx$/;

/** Measures a built page by the manifest that Vite leaves in it. */
export async function measurePage(folder: string): Promise<PageSizes> {
  // Vite writes the manifest of a build in this shape.
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
  const entry = filesOf("index.html", manifest).union(filesOf("browser/main.tsx", manifest));
  const screens = Object.keys(manifest).filter((key) => screenName.test(key));
  const added = (key: string): Set<string> => filesOf(key, manifest).difference(entry);
  return {
    firstScript: sum(entry, /\.js$/) + sum(added("browser/screens/overview/screen.tsx"), /\.js$/),
    firstStyle: sum(entry, /\.css$/),
    screens: new Map(screens.map((key) => [screenName.exec(key)?.[1] ?? key, sum(added(key), /./)])),
    all: sum(sizes.keys(), /./),
  };
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
