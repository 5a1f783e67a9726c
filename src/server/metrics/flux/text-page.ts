import { decimal } from './values/decimal.ts';
import { DAY_MS, formatTime, NS_PER_MS } from './values/time.ts';

/** Bytes after which a page is full. The first page tells whether the query fails at once. */
const PAGE = 64 * 1024;
/** Most texts are short: those are written byte by byte. */
const SHORT = 64;
const TINY = 4;
/** Numbers of at most four decimals, up to this many of the last, are written digit by digit. */
const SCALE = 10_000;
const MOST_SCALED = 2 ** 31;

const encoder = new TextEncoder();

/** The text of an answer as UTF-8, page by page. Cells become bytes at once: strings of whole rows would be garbage right after. */
export class TextPage {
  /** As of `ByteReader`: keeps what was compiled for the class, between the answers. */
  static readonly kept = new TextPage(0);
  private bytes: Uint8Array<ArrayBuffer>;
  private at = 0;
  /** Where the last whole row ends. */
  private whole = 0;
  /** The day that was written last, as Unix ms, and its text up to the hour. */
  private day = Number.NaN;
  private date = new Uint8Array(0);

  constructor(room = PAGE + 4096) {
    this.bytes = new Uint8Array(room);
  }

  get isEmpty(): boolean {
    return this.at === 0;
  }
  get isFull(): boolean {
    return this.at >= PAGE;
  }

  /** What was written since the last call. The memory is the caller's. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.at);
    this.at = this.whole = 0;
    return taken;
  }

  rowDone(): void {
    this.whole = this.at;
  }
  /** Takes back what a row that failed has written. */
  dropRow(): void {
    this.at = this.whole;
  }

  /** Text in UTF-8, made before as it is written often. */
  encoded(value: Uint8Array): void {
    const { length } = value;
    this.need(length);
    const { bytes, at } = this;
    // A delimiter or the end of a line: the call has a price of its own.
    if (length > TINY) bytes.set(value, at);
    else for (let i = 0; i < length; i++) bytes[at + i] = value[i] ?? 0;
    this.at = at + length;
  }

  text(value: string): void {
    const { length } = value;
    this.need(length * 3);
    const { bytes } = this;
    let { at } = this;
    if (length <= SHORT) {
      let i = 0;
      for (; i < length; i++) {
        const code = value.charCodeAt(i);
        if (code > 127) break;
        bytes[at++] = code;
      }
      if (i === length) {
        this.at = at;
        return;
      }
    }
    this.at += encoder.encodeInto(value, bytes.subarray(this.at)).written;
  }

  /** Whole milliseconds since the epoch, as `formatTime` writes them: times of an answer are mostly of few days. */
  ms(value: number): void {
    if (!(value >= this.day && value < this.day + DAY_MS)) {
      this.day = Math.floor(value / DAY_MS) * DAY_MS;
      this.date = encoder.encode(new Date(this.day).toISOString().slice(0, -13));
    }
    // Below 2^31, where whole numbers are quicker than others.
    const rest = (value - this.day) | 0;
    const seconds = (rest / 1000) | 0;
    if (seconds * 1000 !== rest) return this.text(formatTime(BigInt(value) * NS_PER_MS));
    this.encoded(this.date);
    const minutes = (seconds / 60) | 0;
    const hours = (minutes / 60) | 0;
    this.need(9);
    this.twoDigits(hours, COLON);
    this.twoDigits(minutes - hours * 60, COLON);
    this.twoDigits(seconds - minutes * 60, Z);
  }

  /** The same text as `decimal`. */
  float(value: number): void {
    const scaled = Math.round(value * SCALE);
    // A double is the nearest to one decimal of ten digits alone, which is then the shortest that reads back. Of zeros one is negative.
    if (scaled / SCALE === value && scaled < MOST_SCALED && scaled > -MOST_SCALED && scaled !== 0)
      return this.scaled(scaled);
    const text = String(value);
    const { length } = text;
    this.need(length);
    const { bytes, at } = this;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      // Exponents, and what is no number.
      if (code > NINE) return this.text(decimal(value));
      bytes[at + i] = code;
    }
    if (value === 0) return this.text(decimal(value));
    this.at = at + length;
  }

  private scaled(value: number): void {
    this.need(12);
    const { bytes } = this;
    let { at } = this;
    let rest = value | 0;
    if (rest < 0) {
      bytes[at++] = MINUS;
      rest = -rest;
    }
    const whole = (rest / SCALE) | 0;
    let fraction = rest - whole * SCALE;
    let digits = 1;
    for (let most = 10; most <= whole; most *= 10) digits++;
    for (let left = whole, i = at + digits - 1; i >= at; i--) {
      const next = (left / 10) | 0;
      bytes[i] = ZERO + left - next * 10;
      left = next;
    }
    at += digits;
    if (fraction > 0) bytes[at++] = POINT;
    for (let place = SCALE / 10; fraction > 0; place = (place / 10) | 0) {
      const digit = (fraction / place) | 0;
      bytes[at++] = ZERO + digit;
      fraction -= digit * place;
    }
    this.at = at;
  }

  private twoDigits(value: number, then: number): void {
    const { bytes, at } = this;
    const tens = (value / 10) | 0;
    bytes[at] = ZERO + tens;
    bytes[at + 1] = ZERO + value - tens * 10;
    bytes[at + 2] = then;
    this.at = at + 3;
  }

  private need(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.at + more));
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
  }
}

const [ZERO, NINE, COLON, Z, MINUS, POINT] = [48, 57, 58, 90, 45, 46];
