import { html } from "../views/html.ts";
import { createAddressPage } from "./address-page.ts";
import { readEmail } from "./fields.ts";
import { mailedUrl } from "./mailed-link.ts";
import { leadingTo } from "./next-page.ts";

/** An account begins with a mail, so that every address is its user's. If there is a user, the mail tells its owner. */
export const { show: showSignUp, submit: submitSignUp } = createAddressPage({
  title: "Create your account",
  lead: "Enter your e-mail address. We send you a link to continue.",
  action: "/sign-up",
  otherWays: (next) => html`You have an account? <a href="${leadingTo("/sign-in", next)}">Sign in</a>`,
  readAddress: readEmail,
  mailLink: async (deps, { email, next }) => {
    await deps.platform.transaction(async ({ auth, mails }) => {
      const user = await auth.users.findByEmail(email);
      if (user) {
        await mails.queue(user.email, { kind: "sign_up_known", url: mailedUrl(deps, "/sign-in", { next }) });
        return;
      }
      const token = await auth.mailLinks.create({ purpose: "sign_up", email, personId: null });
      await mails.queue(email, { kind: "sign_up", url: mailedUrl(deps, "/sign-up/finish", { token, next }) });
    });
  },
  sent: "a link to create your account",
});
