import { asText, plainPage } from "@gateway/process";
import { Problem } from "@gateway/contract";
import type { ConsoleSessions } from "@gateway/platform/console";
import type { RequestHandler, Response } from "express";
import { createHash, randomBytes } from "node:crypto";
import { sendDocument, createNonce, pageHeaders } from "../serve/page-headers.ts";
import type { ConsoleCookies } from "./console-cookies.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { returnToOf } from "./return-to.ts";
import type { SignedOut } from "./session-info.ts";
import { signInSeconds, type SignInStates } from "./sign-in-state.ts";

export type SessionRoutesDeps = {
  sessions: Pick<ConsoleSessions, "start" | "end" | "find">;
  provider: IdentityProvider;
  cookies: ConsoleCookies;
  signIns: SignInStates;
  origin: string;
};

const sessionSeconds = 90 * 24 * 60 * 60;

/** Navigates to the identity provider, with a state that only this browser can bring back. */
export function signIn({ provider, cookies, signIns, origin }: SessionRoutesDeps): RequestHandler {
  return (req, res) => {
    const { searchParams } = new URL(req.originalUrl, origin);
    const [state, nonce, codeVerifier] = [randomText(), randomText(), randomText()];
    const returnTo = returnToOf(searchParams.get("return_to"), origin);
    const previous = cookies.session.read(req);
    const value = signIns.seal({ state, nonce, codeVerifier, returnTo, previous });
    cookies.signIns.add(req, res, { state, value, maxAgeSeconds: signInSeconds });
    res.setHeader("Cache-Control", "no-store");
    res.redirect(
      303,
      provider.authorizeUrl({
        state,
        nonce,
        codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url"),
        parameters: parametersOf(searchParams),
      }),
    );
  };
}

/** The parameters that the page may set, checked: a number of seconds, an address, another account. */
function parametersOf(query: URLSearchParams): Record<string, string> {
  const maxAge = query.get("max_age") ?? "";
  const loginHint = query.get("login_hint") ?? "";
  return {
    ...(/^\d{1,6}$/.test(maxAge) && { max_age: maxAge }),
    ...(/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(loginHint) && { login_hint: loginHint }),
    ...(query.get("account") === "choose" && { prompt: "consent" }),
  };
}

/**
 * Responds to the identity provider's return with a page that navigates. A redirect would still belong to the other
 * site, and the browser would not send the cookie along with it.
 */
export function callback({ sessions, provider, cookies, signIns, origin }: SessionRoutesDeps): RequestHandler {
  return async (req, res) => {
    const { searchParams } = new URL(req.originalUrl, origin);
    const state = searchParams.get("state") ?? "";
    const begun = signIns.open(cookies.signIns.read(req, state) ?? "");
    // Checked before the cookie is cleared, so that a foreign link does not end a sign-in of this browser.
    if (!begun || state !== begun.state) {
      tell(res, 400, {
        title: "This sign-in is over",
        text: "It was finished already, took longer than ten minutes, or was begun in another browser.",
        href: "/sign-in",
      });
      return;
    }
    cookies.signIns.clear(res, state);
    const again = `/sign-in?${new URLSearchParams({ return_to: begun.returnTo }).toString()}`;
    const code = searchParams.get("code");
    const signedIn =
      code === null ? null : await provider.exchangeCode({ ...begun, code }, { address: req.ip }).catch(nullIfRefused);
    if (!signedIn) {
      tell(res, 400, { title: "You are not signed in", text: "The sign-in was not finished.", href: again });
      return;
    }
    await (begun.previous !== null && sessions.end(begun.previous));
    cookies.session.set(res, await sessions.start(signedIn), { maxAgeSeconds: sessionSeconds });
    res.set(pageHeaders(createNonce()));
    const body = `<p><a href="${asText(begun.returnTo)}">Continue to the console</a></p>`;
    sendDocument(res, 200, plainPage({ title: "Signed in", body, refresh: `0;url=${begun.returnTo}` }));
  };
}

/** Signs out here, at the identity provider and so at the gateway. The session here ends in any case. */
export function signOut({ sessions, provider, cookies }: SessionRoutesDeps): RequestHandler {
  return async (req, res) => {
    const secret = cookies.session.read(req);
    cookies.session.clear(res);
    cookies.signIns.clearAll(req, res);
    res.set({ "Cache-Control": "no-store" });
    const ended = secret === null ? null : await sessions.end(secret);
    if (ended) {
      await provider.revoke(ended.tokens.refreshToken, { address: req.ip }).catch(tellHalf);
    }
    res.json({ signedOut: true } satisfies SignedOut);
  };
}

/** Clears the browser's data of this site. Called after the sign-out, because a browser delays responses meanwhile. */
export const clearSiteData: RequestHandler = (_req, res) => {
  // Never "cookies", because that reaches the whole registrable domain: the identity provider's and those of other
  // sites.
  res.set({ "Clear-Site-Data": '"cache", "storage"', "Cache-Control": "no-store" }).status(204).end();
};

function tellHalf(error: unknown): never {
  throw new Problem(
    "UNAVAILABLE",
    "You are signed out of the console, but the identity provider does not answer: sign out there too.",
    { cause: error },
  );
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Problem && error.code === "UNAUTHENTICATED") {
    return null;
  }
  throw error;
}

function tell(res: Response, status: number, { title, text, href }: { title: string; text: string; href: string }) {
  res.set(pageHeaders(createNonce()));
  const body = `<h1>${asText(title)}</h1><p>${asText(text)} <a href="${asText(href)}">Sign in</a></p>`;
  sendDocument(res, status, plainPage({ title, body, refresh: null }));
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}
