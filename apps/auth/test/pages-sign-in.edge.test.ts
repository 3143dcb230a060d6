import * as argon2 from "@node-rs/argon2";
import { redisServer, waitFor, type RedisServer } from "@gateway/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPasswordHasher } from "../src/browser/password-hasher.ts";
import { comparable, formAt, goodPassword, pathOf, startPages, textOf, type TestPages } from "./support/pages.ts";
import type { BrowserPage } from "./support/browser.ts";
import type { Person } from "./support/test-auth.ts";

/** The real work, counted. It begins when the test allows it. */
const work = { verified: 0, mayBegin: Promise.resolve() };
const passwords = createPasswordHasher({
  verify: async (...input) => {
    work.verified += 1;
    await work.mayBegin;
    return argon2.verify(...input);
  },
});

let pages: TestPages;
let person: Person;

const createPerson = async (): Promise<void> => {
  person = await pages.auth.createPerson();
};
const attempt = async (email: string, password: string, address?: string): Promise<BrowserPage> => {
  const browser = pages.openBrowser(address === undefined ? {} : { address });
  return browser.fill("/sign-in", { email, password });
};

describe("the work of a sign-in", () => {
  beforeAll(async () => {
    pages = await startPages({ passwords });
  });
  afterAll(() => pages.stop());
  beforeEach(createPerson);

  test("a password that is wrong and a user who is not there are one answer, for the same work", async () => {
    work.verified = 0;
    const wrong = await attempt(person.user.email, "not the password");
    expect(work.verified).toBe(1);
    const nobody = await attempt("nobody@example.com", "not the password");
    expect(work.verified).toBe(2);
    expect(wrong.status).toBe(422);
    expect(nobody.status).toBe(wrong.status);
    expect(textOf(wrong)).toContain("The e-mail address or the password is wrong.");
    expect(comparable(wrong, person.user.email)).toBe(comparable(nobody, "nobody@example.com"));
    expect([...nobody.headers.keys()].toSorted()).toEqual([...wrong.headers.keys()].toSorted());
  });

  test("a hash of older parameters is made anew at the sign-in", async () => {
    const old = await argon2.hash(goodPassword, { memoryCost: 1024, timeCost: 1, parallelism: 1 });
    await pages.auth.platform.auth.users.changePassword({ userId: person.user.id, passwordHash: old });
    await attempt(person.user.email, goodPassword);
    const user = await pages.auth.platform.auth.users.get(person.user.id);
    expect(user?.passwordHash).toContain("m=19456,t=2,p=1");
    expect(pathOf(await attempt(person.user.email, goodPassword))).toBe("/account");
  });

  test("as many passwords as can be checked are checked, and the others are told to come again", async () => {
    const browsers = await Promise.all(
      Array.from({ length: 45 }, async (_, index) => {
        const browser = pages.openBrowser();
        return { browser, form: (await browser.open("/sign-in")).forms[0], email: `crowd${index}@example.com` };
      }),
    );
    const opened = Promise.withResolvers<void>();
    work.mayBegin = opened.promise;
    const answered: BrowserPage[] = [];
    const answers = browsers.map(async ({ browser, form, email }) => {
      answered.push(await browser.submit(form, { email, password: "not the password" }));
    });
    // Two are checked and 32 wait.
    await waitFor(() => answered.length === 45 - 34);
    expect(answered.map(({ status, headers }) => `${status} ${headers.get("Retry-After")}`)).toEqual(
      answered.map(() => "503 2"),
    );
    opened.resolve();
    await Promise.all(answers);
    expect(answered.filter(({ status }) => status === 422)).toHaveLength(34);
  });
});

describe("signing in", () => {
  beforeAll(async () => {
    pages = await startPages();
  });
  afterAll(() => pages.stop());
  beforeEach(createPerson);

  test("an answer tells the tries that are left of the client address, and not what others tried with the e-mail address", async () => {
    const left = ({ headers }: BrowserPage) =>
      `${headers.get("X-RateLimit-Limit")} ${headers.get("X-RateLimit-Remaining")}`;
    const address = "192.0.2.200";
    expect(left(await attempt(person.user.email, "not the password", address))).toBe("50 49");
    expect(left(await attempt(person.user.email, "not the password", address))).toBe("50 48");
    expect(left(await attempt(person.user.email, "not the password"))).toBe("50 49");
  });

  test("a forgotten password is one answer too, for an address with a user and for one without", async () => {
    const ask = async (email: string): Promise<BrowserPage> => {
      const browser = pages.openBrowser();
      return browser.fill("/password/forgotten", { email });
    };
    const [known, nobody] = [await ask(person.user.email), await ask("nobody@example.com")];
    expect(comparable(known, person.user.email)).toBe(comparable(nobody, "nobody@example.com"));
    expect(known.status).toBe(nobody.status);
    expect(await pages.mailsTo("nobody@example.com")).toEqual([]);
  });

  test("the right password gets in, whatever the case of the address, and leads on", async () => {
    expect(pathOf(await attempt(person.user.email.toUpperCase(), person.password))).toBe("/account");
    const browser = pages.openBrowser();
    const page = await browser.open("/account/password");
    expect(pathOf(page)).toBe("/sign-in");
    const next = await browser.submit(page.forms[0], { email: person.user.email, password: person.password });
    expect(pathOf(next)).toBe("/account/password");
  });

  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "/account/../evil", "javascript:alert(1)"])(
    "no link of ours leads to %s afterwards",
    async (next) => {
      const browser = pages.openBrowser();
      const page = await browser.open(`/sign-in?next=${encodeURIComponent(next)}`);
      const form = page.forms[0];
      const values = { email: person.user.email, password: person.password };
      expect(form?.values.some(([name]) => name === "next")).toBe(false);
      const after = await browser.submit(form, { ...values, next });
      expect([after.isElsewhere, pathOf(after)]).toEqual([false, "/account"]);
    },
  );

  test("every sign-in is a new session, so one that somebody else prepared is worth nothing", async () => {
    const attacker = pages.openBrowser();
    await pages.signIn(attacker, await pages.auth.createPerson());
    const planted = attacker.cookies.get("session") ?? "";
    const victim = pages.openBrowser();
    // The cookie is set as another program would set it.
    (victim.cookies as Map<string, string>).set("session", planted);
    const { forms } = await victim.open("/sign-in/again");
    await victim.open("/sign-out").then((page) => victim.submit(page.forms[0]));
    expect(forms).not.toEqual([]);
    await pages.signIn(victim, person);
    expect(victim.cookies.get("session")).not.toBe(planted);
    const seen = await attacker.open("/account");
    expect(textOf(seen)).not.toContain(person.user.email);
    expect(pathOf(seen)).toBe("/sign-in");
  });

  test("signing in again ends the session before, and a made-up one is none", async () => {
    const browser = pages.openBrowser();
    await pages.signIn(browser, person);
    const first = browser.cookies.get("session") ?? "";
    await browser.fill("/sign-in/again", { password: person.password });
    expect(browser.cookies.get("session")).not.toBe(first);
    for (const value of [first, "A".repeat(43), "x", "x".repeat(5000)]) {
      const other = pages.openBrowser();
      (other.cookies as Map<string, string>).set("session", value);
      expect(pathOf(await other.open("/account"))).toBe("/sign-in");
    }
  });

  test("ten tries in 15 minutes for an address, with a user or without; the next is refused, right or wrong", async () => {
    for (const email of [person.user.email, "no-user@example.com"]) {
      const answers: BrowserPage[] = [];
      for (let number = 1; number <= 10; number += 1) {
        answers.push(await attempt(email, "not the password"));
      }
      answers.push(await attempt(email, person.password));
      expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
      expect(Number(answers.at(-1)?.headers.get("Retry-After"))).toBeGreaterThan(800);
      expect(textOf(answers.at(-1) as BrowserPage)).toContain("Too many attempts to sign in. Wait 15 minutes");
      // The limit does not apply to a passkey.
      expect(answers.at(-1)?.html).toContain('data-passkey="sign-in"');
    }
  });

  test("those that were right are not counted", async () => {
    const address = "203.0.113.77";
    for (let number = 0; number < 12; number += 1) {
      expect(pathOf(await attempt(person.user.email, person.password, address))).toBe("/account");
    }
    for (let number = 0; number < 10; number += 1) {
      expect((await attempt(person.user.email, "not the password", address)).status).toBe(422);
    }
    expect((await attempt(person.user.email, person.password, address)).status).toBe(429);
  });

  test("a device that the user signed in with before has its own ten, and guesses from elsewhere lock it out of nothing", async () => {
    const own = pages.openBrowser();
    await pages.signIn(own, person);
    await own.fill("/sign-out");
    const elsewhere = pages.openBrowser();
    for (let number = 0; number < 11; number += 1) {
      await attempt(person.user.email, "not the password");
    }
    expect((await attempt(person.user.email, person.password)).status).toBe(429);
    expect(pathOf(await pages.signIn(own, person))).toBe("/account");
    // The cookie is invalid in another browser, and for another user.
    elsewhere.cookies.set("device", own.cookies.get("device") ?? "");
    expect((await pages.signIn(elsewhere, person)).status).toBe(429);

    await own.fill("/sign-out");
    const statuses = [];
    for (let number = 0; number < 11; number += 1) {
      const form = (await own.open("/sign-in")).forms[0];
      statuses.push((await own.submit(form, { email: person.user.email, password: "not the password" })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  });

  test("who sets a new password by mail is locked out no more", async () => {
    for (let number = 0; number < 11; number += 1) {
      await attempt(person.user.email, "not the password");
    }
    expect((await attempt(person.user.email, person.password)).status).toBe(429);
    const browser = pages.openBrowser();
    await browser.fill("/password/forgotten", { email: person.user.email });
    await browser.fill(await pages.linkTo(person.user.email), { "new-password": goodPassword });
    expect(pathOf(await attempt(person.user.email, goodPassword))).toBe("/account");
  });

  test("the spellings of an address share its ten tries, and another letter is another address", async () => {
    const { user, password } = await pages.auth.createPerson();
    const spellings = [user.email, user.email.toUpperCase(), user.email.replace("example", "eXaMpLe")];
    for (let number = 0; number < 10; number += 1) {
      await attempt(spellings[number % spellings.length] ?? "", "not the password");
    }
    for (const spelling of spellings) {
      expect((await attempt(spelling, password)).status).toBe(429);
    }
    const foreign = user.email.replace("example", "examplİ");
    expect(textOf(await attempt(foreign, password))).toContain("The e-mail address or the password is wrong.");
  });

  test("fifty in 15 minutes for a client address; then it is refused, and others go on", async () => {
    const address = "203.0.113.9";
    const tries = [];
    for (let number = 1; number <= 51; number += 1) {
      tries.push((await attempt(`somebody${number}@example.com`, "not the password", address)).status);
    }
    expect(tries).toEqual([...Array.from({ length: 50 }, () => 422), 429]);
    expect(pathOf(await attempt(person.user.email, person.password))).toBe("/account");
  });

  test("garbage in the place of a passkey is refused like a passkey of nobody", async () => {
    const garbage = [
      "",
      "x",
      "null",
      "[]",
      "{}",
      '{"id":"x","response":{"clientDataJSON":"e30"}}',
      '{"id":1}',
      "{".repeat(9000),
    ];
    for (const credential of garbage) {
      const browser = pages.openBrowser();
      const page = await browser.open("/sign-in");
      const answer = await browser.submit(formAt(page, "/sign-in/passkey"), { credential });
      expect(answer.status).toBe(422);
      expect(textOf(answer)).toContain("The passkey was not accepted.");
    }
  });
});

describe("with a shared store of limits", () => {
  let redis: RedisServer | null;

  beforeEach(async () => {
    redis = await redisServer();
    pages = await startPages({ passwords, env: redis ? { REDIS_URL: redis.url } : {} });
  });
  afterEach(async () => {
    await pages.stop();
    await redis?.stop();
  });

  test("that is gone nobody signs in or is sent a mail, and nothing is checked", async ({ skip }) => {
    if (!redis) {
      skip();
      return;
    }
    const person = await pages.auth.createPerson();
    const browser = pages.openBrowser();
    const { forms } = await browser.open("/sign-in");
    await redis.kill9();
    work.verified = 0;
    const answer = await browser.submit(forms[0], { email: person.user.email, password: person.password });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Retry-After")).not.toBeNull();
    expect(work.verified).toBe(0);
    expect((await browser.fill("/sign-up", { email: "new@example.com" })).status).toBe(503);
    expect(await pages.count("mails")).toBe(0);
  });
});
