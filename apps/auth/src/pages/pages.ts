import { Router, type RequestHandler } from "express";
import { showInvitation, submitInvitation } from "./accept-invitation.ts";
import { showAccount, submitDisconnect, submitEndOtherSessions, submitEndSession } from "./account.ts";
import { showConfirmAccountEmail, submitConfirmAccountEmail } from "./confirm-account-email.ts";
import { showChangeEmail, showConfirmEmail, submitChangeEmail, submitConfirmEmail } from "./change-email.ts";
import { showChangeName, submitChangeName } from "./change-name.ts";
import { showAccountRules, submitAccountRules } from "./account-rules.ts";
import {
  showAuthenticator,
  submitAuthenticator,
  submitRecoveryCodes,
  submitRemoveAuthenticator,
} from "./authenticator.ts";
import { showChangePassword, submitChangePassword } from "./change-password.ts";
import { showFinishSignUp, submitFinishSignUp } from "./finish-sign-up.ts";
import { showCloseAccount, submitCloseAccount } from "./close-account.ts";
import { showExport } from "./export-account.ts";
import { showFirstKey, submitFirstKey } from "./first-key.ts";
import { showForgottenPassword, submitForgottenPassword } from "./forgotten-password.ts";
import {
  showInteraction,
  submitConsent,
  submitInteractionCode,
  submitInteractionPasskey,
  submitInteractionSignIn,
  submitSwitchUser,
} from "./interaction.ts";
import { redirect, type PageDeps, type PageHandler } from "./page.ts";
import { showAddPasskey, showPasskey, submitAddPasskey, submitRemovePasskey, submitRenamePasskey } from "./passkeys.ts";
import { showResetPassword, submitResetCode, submitResetPassword } from "./reset-password.ts";
import { servePage } from "./serve-page.ts";
import {
  showSignInAgain,
  submitSignInAgain,
  submitSignInAgainCode,
  submitSignInAgainPasskey,
} from "./sign-in-again.ts";
import { goOnSignedIn, showSignIn, submitSignIn, submitSignInCode, submitSignInPasskey } from "./sign-in.ts";
import { showSignOut, submitSignOut } from "./sign-out.ts";
import { showSignUp, submitSignUp } from "./sign-up.ts";
import { recentlySignedIn, signedIn } from "./signed-in.ts";

/** What a path shows, and what its form does. */
export type PageRoute = {
  path: string;
  get?: PageHandler;
  post?: PageHandler;
  /** See `servePage`: of the forms that sign in. */
  whenSignedIn?: PageHandler;
};

/** Every page there is. */
export const pageRoutes: readonly PageRoute[] = [
  { path: "/", get: async () => redirect("/account") },
  { path: "/sign-in", get: showSignIn, post: submitSignIn, whenSignedIn: goOnSignedIn },
  { path: "/sign-in/passkey", post: submitSignInPasskey, whenSignedIn: goOnSignedIn },
  { path: "/sign-in/code", post: submitSignInCode, whenSignedIn: goOnSignedIn },
  {
    path: "/sign-in/again",
    get: signedIn(showSignInAgain),
    post: signedIn(submitSignInAgain),
  },
  { path: "/sign-in/again/passkey", post: signedIn(submitSignInAgainPasskey) },
  { path: "/sign-in/again/code", post: signedIn(submitSignInAgainCode) },
  { path: "/sign-up", get: showSignUp, post: submitSignUp },
  { path: "/sign-up/finish", get: showFinishSignUp, post: submitFinishSignUp },
  { path: "/sign-out", get: showSignOut, post: submitSignOut },
  { path: "/password/forgotten", get: showForgottenPassword, post: submitForgottenPassword },
  { path: "/password/reset", get: showResetPassword, post: submitResetPassword },
  { path: "/password/reset/code", post: submitResetCode },
  { path: "/invitations/accept", get: showInvitation, post: submitInvitation },
  { path: "/account-email/confirm", get: showConfirmAccountEmail, post: submitConfirmAccountEmail },
  { path: "/interaction/:uid", get: showInteraction },
  { path: "/interaction/:uid/sign-in", get: toInteraction, post: submitInteractionSignIn, whenSignedIn: toInteraction },
  {
    path: "/interaction/:uid/passkey",
    get: toInteraction,
    post: submitInteractionPasskey,
    whenSignedIn: toInteraction,
  },
  { path: "/interaction/:uid/code", get: toInteraction, post: submitInteractionCode, whenSignedIn: toInteraction },
  { path: "/interaction/:uid/consent", get: toInteraction, post: submitConsent },
  { path: "/interaction/:uid/switch", get: toInteraction, post: submitSwitchUser },
  { path: "/account", get: signedIn(showAccount) },
  {
    path: "/account/first-key/:accountId",
    get: recentlySignedIn(showFirstKey),
    post: recentlySignedIn(submitFirstKey),
  },
  {
    path: "/account/close/:accountId",
    get: recentlySignedIn(showCloseAccount),
    post: recentlySignedIn(submitCloseAccount),
  },
  { path: "/account/export/:accountId", get: recentlySignedIn(showExport) },
  { path: "/account/sessions/end", post: signedIn(submitEndSession) },
  { path: "/account/sessions/end-others", post: signedIn(submitEndOtherSessions) },
  { path: "/account/applications/disconnect", post: signedIn(submitDisconnect) },
  { path: "/account/name", get: signedIn(showChangeName), post: signedIn(submitChangeName) },
  { path: "/account/email", get: recentlySignedIn(showChangeEmail), post: recentlySignedIn(submitChangeEmail) },
  { path: "/account/email/confirm", get: signedIn(showConfirmEmail), post: signedIn(submitConfirmEmail) },
  {
    path: "/account/password",
    get: recentlySignedIn(showChangePassword),
    post: recentlySignedIn(submitChangePassword),
  },
  {
    path: "/account/authenticator",
    get: recentlySignedIn(showAuthenticator),
    post: recentlySignedIn(submitAuthenticator),
  },
  { path: "/account/authenticator/recovery-codes", post: recentlySignedIn(submitRecoveryCodes) },
  { path: "/account/authenticator/remove", post: recentlySignedIn(submitRemoveAuthenticator) },
  {
    path: "/account/rules/:accountId",
    get: recentlySignedIn(showAccountRules),
    post: recentlySignedIn(submitAccountRules),
  },
  { path: "/account/passkeys/add", get: recentlySignedIn(showAddPasskey), post: recentlySignedIn(submitAddPasskey) },
  {
    path: "/account/passkeys/:passkeyId",
    get: recentlySignedIn(showPasskey),
    post: recentlySignedIn(submitRenamePasskey),
  },
  { path: "/account/passkeys/:passkeyId/remove", post: recentlySignedIn(submitRemovePasskey) },
];

/** All pages, behind the limit of each path. Unknown paths and unexpected failures go on to the next handler. */
export function createPages(deps: PageDeps, limit: (path: string) => RequestHandler): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { path, get, post, whenSignedIn } of pageRoutes) {
    const serve = (handler: PageHandler | undefined): RequestHandler[] =>
      handler ? [servePage(handler, deps, whenSignedIn)] : [];
    const route = router.route(path).all(limit(path));
    serve(get).forEach((handler) => route.get(handler));
    serve(post).forEach((handler) => route.post(handler));
  }
  return router;
}

/** Whoever loads the page of a form that failed again. */
async function toInteraction({ req }: Parameters<PageHandler>[0]): ReturnType<PageHandler> {
  return redirect(`/interaction/${String(req.params["uid"])}`);
}
