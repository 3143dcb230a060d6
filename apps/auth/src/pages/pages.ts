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
import { showInteraction, submitConsent, submitInteraction, submitSwitchUser } from "./interaction.ts";
import { redirect, type PageDeps, type PageHandler } from "./page.ts";
import { showAddPasskey, showPasskey, submitAddPasskey, submitRemovePasskey, submitRenamePasskey } from "./passkeys.ts";
import { showResetPassword, submitResetCode, submitResetPassword } from "./reset-password.ts";
import { servePage } from "./serve-page.ts";
import { showSignInAgain, submitSignInAgain } from "./sign-in-again.ts";
import { signInWithCode, signInWithPasskey, signInWithPassword } from "./sign-in-attempt.ts";
import { goOnSignedIn, showSignIn, submitSignIn } from "./sign-in.ts";
import { showSignOut, submitSignOut } from "./sign-out.ts";
import { showSignUp, submitSignUp } from "./sign-up.ts";
import { recentlySignedIn, signedIn, type SignedInHandler } from "./signed-in.ts";

export type PageRoute = {
  path: string;
  get?: PageHandler;
  post?: PageHandler;
  /** See `servePage`. Only the forms that sign in have it. */
  whenSignedIn?: PageHandler;
};

const openRoutes: readonly PageRoute[] = [
  { path: "/", get: async () => redirect("/account") },
  { path: "/sign-in", get: showSignIn, post: submitSignIn(signInWithPassword), whenSignedIn: goOnSignedIn },
  { path: "/sign-in/passkey", post: submitSignIn(signInWithPasskey), whenSignedIn: goOnSignedIn },
  { path: "/sign-in/code", post: submitSignIn(signInWithCode), whenSignedIn: goOnSignedIn },
  { path: "/sign-up", get: showSignUp, post: submitSignUp },
  { path: "/sign-up/finish", get: showFinishSignUp, post: submitFinishSignUp },
  { path: "/sign-out", get: showSignOut, post: submitSignOut },
  { path: "/password/forgotten", get: showForgottenPassword, post: submitForgottenPassword },
  { path: "/password/reset", get: showResetPassword, post: submitResetPassword },
  { path: "/password/reset/code", post: submitResetCode },
  { path: "/invitations/accept", get: showInvitation, post: submitInvitation },
  { path: "/account-email/confirm", get: showConfirmAccountEmail, post: submitConfirmAccountEmail },
  { path: "/interaction/:uid", get: showInteraction },
  ...[
    { step: "sign-in", attempt: signInWithPassword },
    { step: "passkey", attempt: signInWithPasskey },
    { step: "code", attempt: signInWithCode },
  ].map(({ step, attempt }) => ({
    path: `/interaction/:uid/${step}`,
    get: toInteraction,
    post: submitInteraction(attempt),
    whenSignedIn: toInteraction,
  })),
  { path: "/interaction/:uid/consent", get: toInteraction, post: submitConsent },
  { path: "/interaction/:uid/switch", get: toInteraction, post: submitSwitchUser },
];

type SignedInRoute = { path: string; get?: SignedInHandler; post?: SignedInHandler };

const signedInRoutes: readonly SignedInRoute[] = [
  { path: "/sign-in/again", get: showSignInAgain, post: submitSignInAgain(signInWithPassword) },
  { path: "/sign-in/again/passkey", post: submitSignInAgain(signInWithPasskey) },
  { path: "/sign-in/again/code", post: submitSignInAgain(signInWithCode) },
  { path: "/account", get: showAccount },
  { path: "/account/sessions/end", post: submitEndSession },
  { path: "/account/sessions/end-others", post: submitEndOtherSessions },
  { path: "/account/applications/disconnect", post: submitDisconnect },
  { path: "/account/name", get: showChangeName, post: submitChangeName },
  { path: "/account/email/confirm", get: showConfirmEmail, post: submitConfirmEmail },
];

const recentlySignedInRoutes: readonly SignedInRoute[] = [
  { path: "/account/first-key/:accountId", get: showFirstKey, post: submitFirstKey },
  { path: "/account/close/:accountId", get: showCloseAccount, post: submitCloseAccount },
  { path: "/account/export/:accountId", get: showExport },
  { path: "/account/email", get: showChangeEmail, post: submitChangeEmail },
  { path: "/account/password", get: showChangePassword, post: submitChangePassword },
  { path: "/account/authenticator", get: showAuthenticator, post: submitAuthenticator },
  { path: "/account/authenticator/recovery-codes", post: submitRecoveryCodes },
  { path: "/account/authenticator/remove", post: submitRemoveAuthenticator },
  { path: "/account/rules/:accountId", get: showAccountRules, post: submitAccountRules },
  { path: "/account/passkeys/add", get: showAddPasskey, post: submitAddPasskey },
  { path: "/account/passkeys/:passkeyId", get: showPasskey, post: submitRenamePasskey },
  { path: "/account/passkeys/:passkeyId/remove", post: submitRemovePasskey },
];

const behind =
  (guard: (handle: SignedInHandler) => PageHandler) =>
  ({ path, get, post }: SignedInRoute): PageRoute => ({
    path,
    ...(get && { get: guard(get) }),
    ...(post && { post: guard(post) }),
  });

export const pageRoutes: readonly PageRoute[] = [
  ...openRoutes,
  ...signedInRoutes.map(behind(signedIn)),
  ...recentlySignedInRoutes.map(behind(recentlySignedIn)),
];

/** All pages, each behind the limit of its path. Unknown paths and unexpected failures reach the next handler. */
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

/** Redirects a reload of the page of a failed form to the interaction. */
async function toInteraction({ req }: Parameters<PageHandler>[0]): ReturnType<PageHandler> {
  return redirect(`/interaction/${String(req.params["uid"])}`);
}
