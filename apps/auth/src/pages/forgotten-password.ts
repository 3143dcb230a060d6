import { html } from "../views/html.ts";
import { createAddressPage } from "./address-page.ts";
import { readKnownEmail } from "./fields.ts";
import { mailedUrl } from "./mailed-link.ts";
import { leadingTo } from "./next-page.ts";

export const { show: showForgottenPassword, submit: submitForgottenPassword } = createAddressPage({
  title: "Forgotten password",
  lead: "Enter the e-mail address that you sign in with. We send you a link to choose a new password.",
  action: "/password/forgotten",
  otherWays: (next) => html`<a href="${leadingTo("/sign-in", next)}">Back to signing in</a>`,
  readAddress: readKnownEmail,
  mailLink: async (deps, { email, next }) => {
    await deps.platform.transaction(async ({ auth, mails }) => {
      const user = await auth.users.findByEmail(email);
      if (user) {
        const token = await auth.mailLinks.create({ purpose: "password_reset", email: user.email, personId: null });
        const url = mailedUrl(deps, "/password/reset", { token, next });
        await mails.queue(user.email, { kind: "password_reset", url });
      }
    });
  },
  sent: "a link to choose a new password, if there is a user with this address,",
});
