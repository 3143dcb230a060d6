/** A period after one of these does not end a sentence. */
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|No|St|Mr|Mrs|Dr|a\.m|p\.m|[A-Z])\.$/;

export type Sentence = {
  text: string;
  /** The offset in the paragraph. */
  start: number;
};

/** Splits a paragraph whose code is masked. A sentence ends with a mark, a space, and a capital, digit or quotation. */
export function splitSentences(paragraph: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const end of paragraph.matchAll(/[.!?…]["”')\]]*(?=\s+["“(]?[A-Z0-9])/g)) {
    const stop = end.index + end[0].length;
    if (!abbreviation.test(paragraph.slice(start, end.index + 1))) {
      sentences.push({ text: paragraph.slice(start, stop), start });
      start = stop;
    }
  }
  sentences.push({ text: paragraph.slice(start), start });
  return sentences
    .map(({ text, start: at }) => ({ text: text.trim(), start: at + (text.length - text.trimStart().length) }))
    .filter(({ text }) => text !== "");
}

/** The words of a sentence: what holds a letter or a digit. A dash or a pipe is none. */
export function countWords(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length;
}
