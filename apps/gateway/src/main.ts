import { isUnavailable } from "@gateway/database";
import { ConfigurationError } from "@gateway/kernel";
import { readGatewayConfig } from "./config.ts";
import { startGateway } from "./start-gateway.ts";

try {
  const gateway = await startGateway(readGatewayConfig(process.env));
  const stop = async (): Promise<void> => {
    await gateway.stop();
    process.exit(0);
  };
  process.once("SIGTERM", () => void stop());
  process.once("SIGINT", () => void stop());
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

function explain(error: unknown): unknown {
  if (error instanceof ConfigurationError) {
    return error.message;
  }
  if (isUnavailable(error)) {
    return `The database does not answer (${error instanceof Error ? error.message : String(error)}). Check DATABASE_URL.`;
  }
  return error;
}
