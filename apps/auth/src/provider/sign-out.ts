import type { KoaContextWithOIDC } from "oidc-provider";
import type { BrowserSessions } from "../browser/browser-session.ts";
import type { GatewayProvider } from "./gateway-provider.ts";
import { questionOf, type ProviderViews } from "./provider-pages.ts";
import { paths } from "./routes.ts";

export type SignOutDeps = { browserSessions: Pick<BrowserSessions, "end">; views: ProviderViews };

/**
 * RP-Initiated Logout 1.0 by the library. A confirmed sign-out ends our session too. The question also appears in a
 * browser that the library does not know, because it may be signed in with our pages alone.
 */
export function amendSignOut(provider: GatewayProvider, { browserSessions, views }: SignOutDeps): void {
  provider.use(async (ctx, next) => {
    await next();
    // The library gives its routes this context.
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    if (ctx.path === `${paths.endSession}/confirm` && ctx.status === 303 && oidc?.params?.["logout"]) {
      await browserSessions.end(ctx.req, ctx.res);
    }
    if (ctx.path === paths.endSession && ctx.status === 200 && oidc?.session && !oidc.session.accountId) {
      const secret = String(oidc.session.state?.["secret"]);
      const action = provider.urlFor("end_session_confirm");
      ctx.body = questionOf(
        // It has `oidc`, so it is the context of one of the library's routes.
        ctx as KoaContextWithOIDC,
        `<form id="op.logoutForm" method="post" action="${action}"><input type="hidden" name="xsrf" value="${secret}"></form>`,
        views,
      );
    }
  });
}
