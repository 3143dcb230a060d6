import { startProcess } from "@gateway/testkit";

/**
 * Runs commands of a guide in a folder, with this machine's settings for package registries. Resolves to their output.
 * Rejects with the whole output when one fails.
 */
export async function pasteInto(folder: string, script: string, env: Record<string, string> = {}): Promise<string> {
  const program = startProcess("bash", ["-euo", "pipefail", "-c", script], {
    cwd: folder,
    env: { ...registryEnvironment(), ...env },
  });
  try {
    const code = await program.exited;
    if (code !== 0) {
      throw new Error(`Ended with ${code}:\n${script}\n${program.stdout()}${program.stderr()}`);
    }
    return program.stdout();
  } finally {
    await program.destroy();
  }
}

/**
 * The settings with which this machine reaches the registries: its proxies, its certificates, and those of pip, Go and
 * Maven.
 */
function registryEnvironment(): Record<string, string> {
  const named = /proxy|cert|_ca_|^npm_config_registry$|^(?:PIP_|GO[A-Z]|MAVEN_|JAVA_)/i;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (named.test(name) && value ? [[name, value]] : [])),
  );
}
