/** Of the test network of Bitcoin, and of nobody: where transfers of tests go. */
export const destinationAddress = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
