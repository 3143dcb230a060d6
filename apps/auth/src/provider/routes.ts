/** Addresses of the protocol. Those of pages are with the pages. */
export const paths = {
  authorize: "/api/v1/authorize",
  token: "/api/v1/token",
  revocation: "/api/v1/revocation",
  userinfo: "/api/v1/userinfo",
  jwks: "/api/v1/jwks",
  endSession: "/api/v1/end-session",
  openidConfiguration: "/.well-known/openid-configuration",
  authorizationServer: "/.well-known/oauth-authorization-server",
} as const;

type Method = "get" | "post";

/** Routes of the OpenID library. Under `:uid` an authorize request continues after an interaction. */
export const providerRoutes: readonly { path: string; methods: readonly Method[] }[] = [
  { path: paths.authorize, methods: ["get", "post"] },
  { path: `${paths.authorize}/:uid`, methods: ["get"] },
  { path: paths.token, methods: ["post"] },
  { path: paths.revocation, methods: ["post"] },
  { path: paths.jwks, methods: ["get"] },
  { path: paths.openidConfiguration, methods: ["get"] },
  { path: paths.authorizationServer, methods: ["get"] },
  { path: paths.endSession, methods: ["get"] },
  { path: `${paths.endSession}/confirm`, methods: ["post"] },
  { path: `${paths.endSession}/success`, methods: ["get"] },
];
