import { describe, expect, test } from "vitest";
import { comparable, goodPassword, pathOf, textOf } from "./support/pages.ts";
import { usePages } from "./support/use-pages.ts";

describe("signing up", () => {
  const pages = usePages();
  let count = 0;

  const newEmail = (): string => {
    count += 1;
    return `new${count}@example.com`;
  };
  const ask = async (email: string, path = "/sign-up") => {
    const browser = pages.openBrowser();
    return { browser, page: await browser.fill(path, { email }) };
  };
  const accountOf = (email: string) => pages.auth.platform.accounts.findByEmail(email);
  const userOf = (email: string) => pages.auth.platform.auth.users.findByEmail(email);

  test("by the link of a mail: user, account and place in it come into being together, signed in", async () => {
    const email = newEmail();
    const browser = pages.openBrowser();
    const page = await pages.signUp(browser, email, goodPassword);
    expect(textOf(page)).toContain("Welcome. Your account is ready.");
    const [user, account] = await Promise.all([userOf(email), accountOf(email)]);
    expect(pathOf(page)).toBe(`/account/first-key/${account?.id}`);
    expect(account).toMatchObject({ tier: "explorer", requestsPerMinute: null, name: "Somebody New" });
    expect(await pages.auth.platform.accounts.people.listOfUser(user?.id ?? "")).toEqual([
      expect.objectContaining({ accountId: account?.id, role: "owner" }),
    ]);
    const again = await pages.signIn(pages.openBrowser(), {
      user: user ?? never(),
      account: account ?? never(),
      password: goodPassword,
    });
    expect(pathOf(again)).toBe("/account");
  });

  test("the account bears the name that it is given, also one that an operator made", async () => {
    const email = newEmail();
    const other = newEmail();
    await pages.auth.platform.accounts.create({
      email: other,
      tier: "growth",
      requestsPerMinute: null,
      name: "Before",
    });
    for (const each of [email, other]) {
      const { browser } = await ask(each);
      const values = { name: "Ada", "account-name": " Analytical Engines ", "new-password": goodPassword };
      await browser.fill(await pages.linkTo(each), values);
      expect((await accountOf(each))?.name).toBe("Analytical Engines");
    }
  });

  test("a name of the account that hides something is refused at its field, and what was typed stays", async () => {
    const email = newEmail();
    const { browser } = await ask(email);
    const { forms } = await browser.open(await pages.linkTo(email));
    const values = { name: "Ada", "account-name": "Acme\u202e", "new-password": goodPassword };
    const page = await browser.submit(forms[0], values);
    expect(page.status).toBe(422);
    expect(page.html).toContain('id="account-name-fault"');
    expect(page.forms[0]?.values).toContainEqual(["account-name", "Acme\u202e"]);
    expect(await accountOf(email)).toBeNull();
  });

  test("nothing comes into being before the link is used", async () => {
    const before = [await pages.count("users"), await pages.count("accounts"), await pages.count("people")];
    const email = newEmail();
    const { browser } = await ask(email);
    await browser.open(await pages.linkTo(email));
    expect([await pages.count("users"), await pages.count("accounts"), await pages.count("people")]).toEqual(before);
  });

  test("an address that has a user gets the very same answer, and a mail that says so to its owner alone", async () => {
    const { user } = await pages.auth.createPerson();
    const email = newEmail();
    const [known, unknown] = [await ask(user.email), await ask(email)];
    expect(comparable(known.page, user.email)).toBe(comparable(unknown.page, email));
    expect(known.page.status).toBe(unknown.page.status);
    expect(headersOf(known.page.headers)).toEqual(headersOf(unknown.page.headers));
    expect((await pages.mailsTo(user.email)).map(({ kind }) => kind)).toEqual(["sign_up_known"]);
    expect((await pages.mailsTo(email)).map(({ kind }) => kind)).toEqual(["sign_up"]);
  });

  test("an account for the address that nobody has joined gets its owner, and no second account", async () => {
    const email = newEmail();
    const account = await pages.auth.platform.accounts.create({ email, tier: "growth", requestsPerMinute: null });
    const before = await pages.count("accounts");
    await pages.signUp(pages.openBrowser(), email, goodPassword);
    expect(await pages.count("accounts")).toBe(before);
    const user = await userOf(email);
    expect(await pages.auth.platform.accounts.people.listOfUser(user?.id ?? "")).toEqual([
      expect.objectContaining({ accountId: account?.id, role: "owner" }),
    ]);
  });

  test("an account for the address that has its people is not opened to whoever gets the address later", async () => {
    const email = newEmail();
    const account = await pages.auth.platform.accounts.create({ email, tier: "growth", requestsPerMinute: null });
    await pages.auth.createPerson({ account: account ?? never() });
    expect(pathOf(await pages.signUp(pages.openBrowser(), email, goodPassword))).toBe("/account");
    const user = await userOf(email);
    expect(await pages.auth.platform.accounts.people.listOfUser(user?.id ?? "")).toEqual([]);
  });

  test.each([
    ["", goodPassword, "Enter your name"],
    ["x".repeat(101), goodPassword, "at most 100 characters"],
    ["Bell\u0007", goodPassword, "without control characters"],
    ["Ada\u200b", goodPassword, "cannot be seen"],
    ["\u3164", goodPassword, "cannot be seen"],
    ["\u2067Ada", goodPassword, "cannot be seen"],
    ["Somebody", "hgqvzuwplkd", "has 11 characters"],
    ["Somebody", "hgqvzuwplkdj4rtc".repeat(8).concat("x"), "has 129 characters"],
    ["Somebody", "passwordpassword", "tried first"],
  ])("name %j with password %j is refused with the field, and the link stays good", async (name, password, fault) => {
    const email = newEmail();
    const { browser } = await ask(email);
    const link = await pages.linkTo(email);
    const page = await browser.fill(link, { name, "new-password": password });
    expect(page.status).toBe(422);
    expect(textOf(page)).toContain(fault);
    expect(page.html).not.toContain(`value="${password}"`);
    expect((await browser.open(link)).status).toBe(200);
  });

  test.each([
    "",
    "nobody",
    "a@b",
    "two@@example.com",
    "a b@example.com",
    `${"x".repeat(250)}@example.com`,
    "a\u0007@example.com",
  ])("%j is no e-mail address, and no mail goes out", async (email) => {
    const before = await pages.count("mails");
    const { page } = await ask(email);
    expect(page.status).toBe(422);
    expect(await pages.count("mails")).toBe(before);
  });
});

describe("mails that are asked for", () => {
  const pages = usePages();

  const ask = async (path: string, email: string, address?: string) => {
    const browser = pages.openBrowser(address === undefined ? {} : { address });
    return browser.fill(path, { email });
  };

  test.each(["/sign-up", "/password/forgotten"])(
    "%s: five in an hour to an address, known or not, whoever asks; the sixth is refused",
    async (path) => {
      const { user } = await pages.auth.createPerson();
      const email = `nobody-of${path.replaceAll("/", "-")}@example.com`;
      for (const to of [user.email, email]) {
        const answers = [];
        for (let number = 1; number <= 6; number += 1) {
          answers.push(await ask(path, to));
        }
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
        expect(Number(answers[5]?.headers.get("Retry-After"))).toBeGreaterThan(3000);
      }
      expect((await pages.mailsTo(user.email)).length).toBe(5);
    },
  );

  test("twenty in an hour for a client address; the next one is refused, and others go on", async () => {
    const address = "203.0.113.7";
    const answers = [];
    for (let number = 1; number <= 21; number += 1) {
      answers.push((await ask("/sign-up", `many${number}@example.com`, address)).status);
    }
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    expect((await ask("/sign-up", "many21@example.com")).status).toBe(200);
  });
});

function headersOf(headers: Headers): Record<string, string> {
  const { date: _date, "x-request-id": _id, "content-length": _length, ...rest } = Object.fromEntries(headers);
  return rest;
}

function never(): never {
  throw new Error("It is there.");
}
