import type { MailLink, MailLinkPurpose } from "@gateway/platform/auth";
import { toAccount, toSignIn, type WayOn } from "../views/error-page.ts";
import { Refusal, type PageDeps } from "./page.ts";

const tokenPattern = /^[\w-]{43}$/;

/** The address of one of our pages, for a mail. `next` is kept in the link. */
export function mailedUrl(
  { issuer }: Pick<PageDeps, "issuer">,
  path: string,
  query: Readonly<Record<string, string | null>> = {},
): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null);
  const search = new URLSearchParams(pairs).toString();
  return `${issuer}${path}${search === "" ? "" : `?${search}`}`;
}

/** Finds the link without using it up, because programs that scan mails open every link. */
export async function findLink(
  { platform }: PageDeps,
  token: string | null,
  purpose: MailLinkPurpose,
): Promise<{ token: string; link: MailLink }> {
  const link = token !== null && tokenPattern.test(token) ? await platform.auth.mailLinks.find(token, purpose) : null;
  if (token === null || !link) {
    throw linkIsOver(purpose);
  }
  return { token, link };
}

const advice: Readonly<Record<MailLinkPurpose, string>> = {
  sign_up: "If you have created your account already, sign in. Otherwise begin again: you get a new link.",
  password_reset: "If you still need a new password, ask for another link on the page for forgotten passwords.",
  invitation:
    "If you have accepted the invitation already, sign in. Otherwise ask the person who invited you for a new one.",
  account_email:
    "The account still has its previous address, or one that was requested later. Ask an owner for another link.",
  email_change: "Your address is as your account page shows it. To change it, ask for another link there.",
};

const waysOn: Readonly<Record<MailLinkPurpose, readonly WayOn[]>> = {
  sign_up: [toSignIn, { label: "Create an account", href: "/sign-up" }],
  password_reset: [{ label: "Ask for another link", href: "/password/forgotten" }, toSignIn],
  invitation: [toSignIn, toAccount],
  account_email: [toAccount],
  email_change: [toAccount],
};

export function linkIsOver(purpose: MailLinkPurpose): Refusal {
  return new Refusal(410, {
    title: "This link is no longer valid",
    message: `It was used before, has expired, or is not complete. ${advice[purpose]}`,
    waysOn: waysOn[purpose],
  });
}
