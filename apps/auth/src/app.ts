import { believeProxies } from "@gateway/limits";
import { createExpressListener, prepareExpress } from "@gateway/process";
import express, { type Express, type RequestHandler } from "express";
import type { RequestListener } from "node:http";
import { answerFailure, refuseAddress, refuseMethod, refuseTarget } from "./answer-failure.ts";
import { allowOrigin, type AllowOriginDeps } from "./api/allow-origin.ts";
import { limitInteractions, limitRequests } from "./limit-requests.ts";
import { refuseLongParameters } from "./refuse-long-parameters.ts";
import { userinfo, type UserinfoDeps } from "./api/userinfo.ts";
import { authorizeByForm } from "./authorize-by-form.ts";
import { beginRequest } from "./begin-request.ts";
import { createAssets } from "./browser/assets.ts";
import { securityHeaders } from "./browser/security-headers.ts";
import type { AuthObserver } from "./observer.ts";
import type { PageDeps } from "./pages/page.ts";
import { createPages } from "./pages/pages.ts";
import { pinHost } from "./pin-host.ts";
import type { GatewayProvider } from "./provider/gateway-provider.ts";
import { paths, providerRoutes } from "./provider/routes.ts";

export type AuthDeps = AllowOriginDeps &
  UserinfoDeps & {
    observer: AuthObserver;
    pages: PageDeps;
    provider: () => GatewayProvider;
    authUrl: string;
    /** Addresses and networks whose X-Forwarded-For is trusted. */
    trustedProxies: readonly string[];
  };

function createAuthApp(deps: AuthDeps): Express {
  const app = prepareExpress(express());
  believeProxies(app, deps.trustedProxies);

  app.use(beginRequest(deps), refuseTarget, pinHost(deps));
  app.use(securityHeaders({ isSecure: deps.authUrl.startsWith("https:") }));
  // Routes for programs come first: a token request need not be matched against the path of every page.
  const allow = allowOrigin(deps);
  const { throttle } = deps.pages;
  const answerUserinfo = userinfo(deps);
  app
    .route(paths.userinfo)
    .all(allow, limitRequests({ throttle, path: paths.userinfo }))
    .get(answerUserinfo)
    .post(answerUserinfo)
    .all(refuseMethod(["get", "post"]));
  for (const { path, methods } of providerRoutes) {
    const route = app.route(path).all(allow);
    if (!isCached(path)) {
      route.all(limitRequests({ throttle, path }));
    }
    if (path === paths.authorize) {
      route.get(refuseLongParameters, limitInteractions({ throttle })).post(authorizeByForm);
    }
    methods.forEach((method) => route[method](askLibrary(deps.provider)));
    route.all(refuseMethod(methods));
  }
  app.use(createAssets());
  app.use(createPages(deps.pages, (path) => limitRequests({ throttle, path })));
  app.use(refuseAddress, answerFailure(deps));
  return app;
}

/** Paths whose responses caches share: one client's rate limit must not be shown to others. */
function isCached(path: string): boolean {
  return path === paths.jwks || path.startsWith("/.well-known/");
}

function askLibrary(provider: () => GatewayProvider): RequestHandler {
  return (req, res) => provider().handle(req, res);
}

export function createAuthHandler(deps: AuthDeps): RequestListener {
  return createExpressListener(createAuthApp(deps));
}
