import { isUnavailable } from "@gateway/database";
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import { allowApplication } from "../browser/security-headers.ts";
import { NoFreeSlotError } from "./exchange-slots.ts";

/** An application with its registered name and website. */
type KnownApplication = { name: string; websiteUrl: string | null };

/** Whole documents for a browser. */
export type ProviderViews = {
  renderErrorPage(page: { title: string; message: string; application?: KnownApplication | null }): string;
  /** `form` is markup of the library, with the id `op.logoutForm`. A button named `logout` with a value signs out. */
  renderLogoutQuestion(page: { form: string; applicationName: string | null }): string;
  renderSignedOut(): string;
};

type Pages = {
  errors: Pick<Configuration, "renderError">;
  signOut: {
    logoutSource(ctx: KoaContextWithOIDC, form: string): Promise<void>;
    postLogoutSuccessSource(ctx: KoaContextWithOIDC): Promise<void>;
  };
};

/** The library's own pages, with our texts. */
export function providerPages(views: ProviderViews): Pages {
  const show = (ctx: KoaContextWithOIDC, page: string): void => {
    ctx.type = "html";
    ctx.body = page;
  };
  return {
    errors: {
      renderError: async (ctx, out, error) => {
        if (isTemporary(error)) {
          ctx.status = 503;
          ctx.set("Retry-After", "1");
        }
        show(ctx, views.renderErrorPage({ ...explainError(out, error), application: applicationOf(ctx) }));
      },
    },
    signOut: {
      logoutSource: async (ctx, form) => show(ctx, questionOf(ctx, form, views)),
      postLogoutSuccessSource: async (ctx) => show(ctx, views.renderSignedOut()),
    },
  };
}

/** Null when the request does not name a registered application. */
export function applicationOf({ oidc: { client } }: KoaContextWithOIDC): KnownApplication | null {
  return client ? { name: client.clientName ?? client.clientId, websiteUrl: client.clientUri ?? null } : null;
}

/** Asks before an application signs its user out. Submitting the form leads back to the application. */
export function questionOf(ctx: KoaContextWithOIDC, form: string, views: ProviderViews): string {
  allowApplication(ctx.res, { redirectUris: ctx.oidc.client?.redirectUris ?? [] });
  return views.renderLogoutQuestion({ form, applicationName: ctx.oidc.client?.clientName ?? null });
}

/** True when the same request may succeed in a moment. */
export function isTemporary(error: unknown): boolean {
  return isUnavailable(error) || error instanceof NoFreeSlotError;
}

/** An error of an authorize request, in words for a user who sees it instead of the application. */
export function explainError(
  out: { error: string; error_description?: string | undefined },
  error: unknown,
): { title: string; message: string } {
  if (isTemporary(error)) {
    return {
      title: "Not available right now",
      message: "The sign-in service cannot be reached at the moment. Try again in a minute.",
    };
  }
  if (out.error === "server_error") {
    return { title: "Something went wrong", message: "That was our mistake. Try again in a moment." };
  }
  const reason = out.error_description ?? "the request is not valid";
  return {
    title: "This request cannot be answered",
    message: `The application that sent you here made a mistake: ${reason} (${out.error}). Go back to it and try again, or tell the people who make it.`,
  };
}
