import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * The machine's Chromium. Null, with a line printed, where it has none; in CI that is an error, for a skipped test
 * proves nothing.
 */
export async function startChromium(): Promise<Browser | null> {
  const executablePath = places.find(existsSync);
  if (executablePath !== undefined) {
    return chromium.launch({ executablePath, args: ["--no-sandbox"] });
  }
  if (process.env["CI"]) {
    throw new Error("There is no Chromium here, and in CI there must be one.");
  }
  console.log("Skipped what needs Chromium: this machine has none.");
  return null;
}
