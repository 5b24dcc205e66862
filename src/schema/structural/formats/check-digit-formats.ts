/** The numbers of the brands that upstream's govalidator knows. */
const cardNumbers = [
  /^4[0-9]{12}(?:[0-9]{3})?$/,
  /^5[1-5][0-9]{14}$/,
  /^6(?:011|5[0-9]{2})[0-9]{12}$/,
  /^3[47][0-9]{13}$/,
  /^3(?:0[0-5]|[68][0-9])[0-9]{11}$/,
  /^(?:2131|1800|35[0-9]{3})[0-9]{11}$/,
];

/** Whether a text is an ISBN of ten digits, the last of which may be `X`, among spaces and dashes. */
export function isIsbn10(text: string): boolean {
  const number = withoutSpacesAndDashes(text);
  if (!/^[0-9]{9}[0-9X]$/.test(number)) return false;
  return digitsOf(number).reduce((sum, digit, i) => sum + digit * (i + 1), 0) % 11 === 0;
}

/** Whether a text is an ISBN of thirteen digits, among spaces and dashes. */
export function isIsbn13(text: string): boolean {
  const number = withoutSpacesAndDashes(text);
  if (!/^[0-9]{13}$/.test(number)) return false;
  return digitsOf(number).reduce((sum, digit, i) => sum + digit * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

/** Whether the digits of a text are the number of a credit card. Other characters are ignored. */
export function isCreditCard(text: string): boolean {
  const number = text.replace(/[^0-9]+/g, "");
  if (!cardNumbers.some((pattern) => pattern.test(number))) return false;
  const doubled = [...digitsOf(number)].reverse().map((digit, i) => (i % 2 === 0 ? digit : digit * 2));
  return doubled.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10 === 0;
}

/** What Go's `\s` matches, which is less than in JavaScript, and dashes are removed. */
function withoutSpacesAndDashes(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, "");
}

function digitsOf(number: string): readonly number[] {
  return [...number].map((digit) => (digit === "X" ? 10 : Number(digit)));
}
