import type { KoaContextWithOIDC } from "oidc-provider";
import type { BrowserSessions } from "../browser/browser-session.ts";
import { applicationOf, explainError, type ProviderViews } from "./provider-pages.ts";

/** Returns true when it has responded to an authorize request. Otherwise the error is sent to the application. */
export type ErrorsBeforeSignIn = (ctx: KoaContextWithOIDC, payload: object) => Promise<boolean>;

/**
 * Shows an error as a page while no user is signed in. A redirect would let our address lead to any registered
 * application (RFC 9700, 4.11.2). With `prompt=none` no page is shown (OpenID Connect Core 1.0, 3.1.2.1).
 */
export function createErrorsBeforeSignIn({
  browserSessions,
  views,
}: {
  browserSessions: Pick<BrowserSessions, "find">;
  views: ProviderViews;
}): ErrorsBeforeSignIn {
  return async (ctx, payload) => {
    const isNew = ctx.oidc.route === "authorization";
    if (!isNew || !isError(payload) || isSilent(ctx) || (await browserSessions.find(ctx.req)) !== null) {
      return false;
    }
    ctx.status = 400;
    ctx.type = "html";
    ctx.body = views.renderErrorPage({ ...explainError(payload, null), application: applicationOf(ctx) });
    return true;
  };
}

function isError(payload: object): payload is { error: string; error_description?: string } {
  return "error" in payload && typeof payload.error === "string";
}

function isSilent({ oidc, query }: KoaContextWithOIDC): boolean {
  return (oidc.params ?? query)["prompt"] === "none";
}
