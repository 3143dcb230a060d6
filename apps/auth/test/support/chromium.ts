import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Null, with a line printed, where the machine has none; in CI that is an error, for a skipped test proves nothing. */
export async function launchChromium(): Promise<Browser | null> {
  const executablePath = findOnPath();
  if (executablePath === null) {
    if (process.env["CI"]) {
      throw new Error(`The tests need one of ${names.join(", ")}. Install it.`);
    }
    console.error("Skipped: this machine has no Chromium. Install it to run these tests.");
    return null;
  }
  // Its sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}

function findOnPath(): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
