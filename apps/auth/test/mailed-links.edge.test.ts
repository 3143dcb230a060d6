import type { MailLinkPurpose } from "@gateway/platform/auth";
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { askForAccountEmail } from "./support/account-email-link.ts";
import type { Browser } from "./support/browser.ts";
import { goodPassword } from "./support/pages.ts";
import { usePages } from "./support/use-pages.ts";

const hourMs = 3_600_000;

/** `openBrowser`: one in which the link may be used. */
type Mailed = { link: string; values?: Record<string, string>; openBrowser(): Browser };

describe("a mailed link", () => {
  const pages = usePages();

  const newUser = { name: "New", "new-password": goodPassword };
  const newEmail = (): string => `linked-${randomUUID()}@example.com`;
  const openBrowser = (): Browser => pages.openBrowser();
  const askAt = async (path: string, email: string, browser = openBrowser()): Promise<string> => {
    await browser.fill(path, { email });
    return pages.linkTo(email);
  };
  const purposes: Readonly<Record<MailLinkPurpose, { path: string; hours: number; ask(): Promise<Mailed> }>> = {
    sign_up: {
      path: "/sign-up/finish",
      hours: 24,
      ask: async () => ({ link: await askAt("/sign-up", newEmail()), values: newUser, openBrowser }),
    },
    password_reset: {
      path: "/password/reset",
      hours: 1,
      ask: async () => {
        const { user } = await pages.auth.createPerson();
        return { link: await askAt("/password/forgotten", user.email), values: newUser, openBrowser };
      },
    },
    invitation: {
      path: "/invitations/accept",
      hours: 7 * 24,
      ask: async () => {
        const { account } = await pages.auth.createPerson();
        const email = newEmail();
        const token = await pages.auth.platform.transaction(async ({ accounts, auth }) => {
          const { id } = await accounts.people.invite({ accountId: account.id, email, role: "member" });
          return auth.mailLinks.create({ purpose: "invitation", email, personId: id });
        });
        return { link: `/invitations/accept?token=${pages.auth.watch.note(token)}`, values: newUser, openBrowser };
      },
    },
    account_email: {
      path: "/account-email/confirm",
      hours: 24,
      ask: async () => {
        const { account } = await pages.auth.createPerson();
        return { link: await askForAccountEmail(pages, account, newEmail()), openBrowser };
      },
    },
    email_change: {
      path: "/account/email/confirm",
      hours: 24,
      ask: async () => {
        const own = openBrowser();
        await pages.signIn(own, await pages.auth.createPerson());
        return { link: await askAt("/account/email", newEmail(), own), openBrowser: () => own };
      },
    },
  };

  describe.each(Object.entries(purposes))("of the purpose %s", (_purpose, { path, hours, ask }) => {
    test("is not used up by looking at it, as scanners of mails do, and works once", async () => {
      const { link, values, openBrowser: open } = await ask();
      const browser = open();
      await browser.open(link);
      const { forms } = await browser.open(link);
      expect((await browser.submit(forms[0], values)).status).toBe(200);
      expect((await open().open(link)).status).toBe(410);
    });

    test("lets one in, of 5 who use it at once", async () => {
      const { link, values, openBrowser: open } = await ask();
      const opened = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const browser = open();
          return { browser, form: (await browser.open(link)).forms[0] };
        }),
      );
      const answers = await Promise.all(opened.map(({ browser, form }) => browser.submit(form, values)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410, 410, 410]);
    });

    test(`is over after ${hours} hours`, async () => {
      const { link, values, openBrowser: open } = await ask();
      const browser = open();
      pages.clock.advance(hours * hourMs - 1);
      const { status, forms } = await browser.open(link);
      expect(status).toBe(200);
      pages.clock.advance(1);
      expect((await browser.open(link)).status).toBe(410);
      expect((await browser.submit(forms[0], values)).status).toBe(410);
    });

    test("is none for another purpose, nor cut short, nor without its token", async () => {
      const { link } = await ask();
      const { search } = new URL(link, pages.auth.origin);
      const browser = openBrowser();
      await pages.signIn(browser, await pages.auth.createPerson());
      const others = Object.values(purposes).map((other) => other.path);
      for (const wrong of [...others.filter((other) => other !== path).map((other) => `${other}${search}`), path]) {
        expect([wrong, (await browser.open(wrong)).status]).toEqual([wrong, 410]);
      }
      expect((await browser.open(link.slice(0, -1))).status).toBe(410);
    });
  });
});
