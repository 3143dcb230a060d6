import { beforeAll, describe, expect, test } from "vitest";
import { createPasswordHasher } from "../src/browser/password-hasher.ts";
import type { Browser } from "./support/browser.ts";
import type { HtmlForm } from "./support/html-form.ts";
import { usePages } from "./support/use-pages.ts";

const requests = 200;

/** Compares the response times of known and unknown addresses, in turns, because time could also reveal a user. */
describe.each([
  ["forgotten password", "/password/forgotten"],
  ["sign-up", "/sign-up"],
])("whether an address has a user is not told by the time of %s", (_name, path) => {
  const pages = usePages({ passwords: createPasswordHasher() });
  let known: string[];

  beforeAll(async () => {
    known = [];
    for (let number = 0; number < requests / 2; number += 1) {
      const email = `known-${number}@example.com`;
      await pages.auth.platform.auth.users.create({ email, name: "Known", passwordHash: "none" });
      known.push(email);
    }
  });

  const open = async (): Promise<{ browser: Browser; form: HtmlForm | undefined }> => {
    const browser = pages.openBrowser();
    return { browser, form: (await browser.open(path)).forms[0] };
  };
  const timeOf = async (email: string): Promise<number> => {
    const { browser, form } = await open();
    const sentAt = performance.now();
    const { status } = await browser.submit(form, { email });
    expect(status).toBe(200);
    return performance.now() - sentAt;
  };

  test(`${requests} answers of either kind are mixed by time as chance would mix them`, async () => {
    await timeOf("warm@example.com");
    const times: { ms: number; isKnown: boolean }[] = [];
    for (const [number, email] of known.entries()) {
      const pair = [
        { email, isKnown: true },
        { email: email.replace("known", "stranger"), isKnown: false },
      ];
      for (const { email: asked, isKnown } of number % 2 === 0 ? pair : pair.toReversed()) {
        times.push({ ms: await timeOf(asked), isKnown });
      }
    }
    // One run in 16,000 exceeds it by chance alone.
    expect(Math.abs(deviationOf(times))).toBeLessThan(4);
    expect(await pages.mailsTo(known[0] ?? "")).toHaveLength(1);
  });
});

/** Mann and Whitney's U, in standard deviations from its expected value. */
function deviationOf(times: readonly { ms: number; isKnown: boolean }[]): number {
  const sorted = times.toSorted((one, other) => one.ms - other.ms);
  const ranks = sorted.reduce((sum, { isKnown }, at) => sum + (isKnown ? at + 1 : 0), 0);
  const each = times.length / 2;
  const expected = (each * (times.length + 1)) / 2;
  return (ranks - expected) / Math.sqrt((each * each * (times.length + 1)) / 12);
}
