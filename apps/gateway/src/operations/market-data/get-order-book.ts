import { presentOrderBook } from "@gateway/platform/market-data";
import { noSuchInstrument, type OperationHandler } from "../operation.ts";

export const getOrderBook: OperationHandler<"getOrderBook"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const book = await deps.marketData.orderBooks.find({
    accountId,
    symbol: input.path.symbol,
    depth: input.query.depth,
  });
  if (!book) {
    throw noSuchInstrument();
  }
  return { status: 200, data: presentOrderBook(book) };
};
