import { presentInstrument } from "@gateway/platform/market-data";
import { noSuchInstrument, type OperationHandler } from "../operation.ts";

export const getInstrument: OperationHandler<"getInstrument"> = async ({ input, principal, deps }) => {
  const { symbol } = input.path;
  const instrument = await deps.marketData.instruments.find({ accountId: principal.accountId, symbol });
  if (!instrument) {
    throw noSuchInstrument();
  }
  return { status: 200, data: presentInstrument(instrument) };
};
