type Environment = Readonly<Record<string, string | undefined>>;

/** Options of Node that open a port to others, write keys down, or take what no parser should. */
const unsafeOption =
  /--(?:inspect(?:-brk|-wait|-port)?|debug(?:-brk|-port)?|tls-keylog|tls-min-v1\.[01]|insecure-http-parser)(?![\w-])/;

/** For readSettings: what Node reads from the environment, and what would undo TLS in production. */
export function checkEnvironment(env: Environment, { LIVEMODE }: { readonly LIVEMODE?: boolean }): string[] {
  if (LIVEMODE !== true) {
    return [];
  }
  const [option] = unsafeOption.exec(env["NODE_OPTIONS"] ?? "") ?? [];
  return [
    ...(env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0"
      ? [
          "NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production (LIVEMODE=true): no certificate would be checked. For a private authority, set NODE_EXTRA_CA_CERTS",
        ]
      : []),
    ...(option === undefined
      ? []
      : [`NODE_OPTIONS must not hold ${option} in production (LIVEMODE=true): it lets others inspect the process`]),
  ];
}
