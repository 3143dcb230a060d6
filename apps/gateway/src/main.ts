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
  console.error(error instanceof ConfigurationError ? error.message : error);
  process.exit(1);
}
