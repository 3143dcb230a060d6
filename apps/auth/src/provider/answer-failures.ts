import { isLockTimeout } from "@gateway/database";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { GatewayProvider } from "./gateway-provider.ts";
import { isTemporary, type ProviderViews } from "./provider-pages.ts";

export type OnFailure = (failure: { requestId: string | undefined; error: unknown }) => void;

type Context = Pick<KoaContextWithOIDC, "req" | "res" | "status" | "body" | "type" | "set" | "response" | "accepts">;

/**
 * Logs the text of failures inside the library. The library answers `server_error` with 500; a failure that will pass
 * becomes 503 `temporarily_unavailable`, and what its error handling misses is answered here.
 */
export function answerFailures(provider: GatewayProvider, deps: { onFailure: OnFailure; views: ProviderViews }): void {
  const failures = new WeakMap<object, unknown>();
  provider.on("server_error", (ctx, error) => failures.set(ctx.req, error));
  // Koa would print the error with its stack.
  provider.onerror = (error) => deps.onFailure({ requestId: undefined, error });
  provider.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      failures.set(ctx.req, error);
      answerFailure(ctx, error, deps.views);
    }
    if (failures.has(ctx.req)) {
      const error = failures.get(ctx.req);
      deps.onFailure({ requestId: String(ctx.res.getHeader("X-Request-Id")), error });
      if (ctx.status === 500 && ctx.response.is("json") && willPass(error)) {
        answerFailure(ctx, error, deps.views);
      }
    }
  });
}

function willPass(error: unknown): boolean {
  return isTemporary(error) || isLockTimeout(error);
}

function answerFailure(ctx: Context, error: unknown, views: ProviderViews): void {
  ctx.status = willPass(error) ? 503 : 500;
  ctx.set("Cache-Control", "no-store");
  if (ctx.status === 503) {
    ctx.set("Retry-After", "1");
  }
  if (ctx.accepts("json", "html") === "html") {
    ctx.type = "html";
    ctx.body = views.renderErrorPage({
      title: "Something went wrong",
      message: "That was our mistake. Try again in a moment.",
    });
    return;
  }
  ctx.body =
    ctx.status === 503
      ? { error: "temporarily_unavailable", error_description: "try again in a moment" }
      : { error: "server_error", error_description: "something failed on our side" };
}
