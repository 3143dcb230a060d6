import { createTestFolder, startProcess, type TestProcess } from "@gateway/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBrowser } from "../apps/auth/test/support/browser.ts";
import { createSecretWatch } from "../apps/auth/test/support/secret-watch.ts";
import { npmStart, type LocalSystem } from "./support/local-system.ts";

const address = /^http:\/\/localhost:\d+\/api\/v1\/authorize\?.*$/m;

let dataDir: string;
let system: LocalSystem;
let demo: TestProcess;

beforeEach(async () => {
  dataDir = await createTestFolder();
  system = await npmStart({ dataDir });
  demo = startProcess("npm", ["run", "--silent", "demo:oauth"], { env: { DATA_DIR: dataDir } });
});
afterEach(async () => {
  await demo.destroy();
  await system.program.destroy();
});

/** Signs in as the demo person with the credentials that the first start printed, and presses the button. */
async function answerInBrowser(button: "Allow" | "Deny"): Promise<string> {
  const [, email = "", password = ""] = /^ {2}(\S+@\S+) {2}password (\S+)$/m.exec(system.program.stdout()) ?? [];
  await demo.printed(address);
  const [url = ""] = address.exec(demo.stdout()) ?? [];
  const port = Number(system.env["AUTH_PORT"]);
  const browser = createBrowser({ origin: system.auth, ports: () => [port], watch: createSecretWatch() });
  const signIn = await browser.open(url);
  const consent = await browser.submit(signIn.forms[0], { email, password });
  const form = consent.forms.find(({ buttons }) => buttons.some(({ label }) => label === button));
  const left = await browser.submit(form, {}, button);
  await fetch(left.url);
  return left.url;
}

test("the demo walks an application through OAuth, from sign-in to the wallets, and gives its access back", async () => {
  const key = /gk_test_\w+/.exec(system.program.stdout())?.[0] ?? "";
  await fetch(`${system.api}/api/v1/wallets`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Payroll", currency: "EUR" }),
  });
  await answerInBrowser("Allow");
  expect(await demo.exited).toBe(0);
  expect(demo.stdout()).toMatch(/Signed in +Demo Person <demo@gateway\.example>, usr_/);
  expect(demo.stdout()).toMatch(/Access token +for 3600 s, scope openid email profile read$/m);
  expect(demo.stdout()).toMatch(/wal_\w+ {2}EUR +0 {2}Payroll/);
  expect(demo.stdout()).toMatch(/Refreshed[\s\S]*Revoked/);
  expect(demo.stdout() + demo.stderr()).not.toMatch(/eyJ/);
});

test("a person who says no is told so, and nothing was given", async () => {
  expect(await answerInBrowser("Deny")).toContain("error=access_denied");
  expect(await demo.exited).toBe(1);
  expect(demo.stderr()).toBe("The identity provider refused: access_denied, the user did not allow it.\n");
});
