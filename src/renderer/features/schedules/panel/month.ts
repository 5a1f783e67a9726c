/** Days of a month as a calendar shows them, in the time zone of the machine. */
export interface CalendarDay {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly date: number;
  readonly isOfMonth: boolean;
}

/** Whole weeks from Monday on that hold the month `offset` months from the one of `now`. */
export function daysOfMonth(now: number, offset: number): CalendarDay[] {
  const today = new Date(now);
  const first = new Date(today.getFullYear(), today.getMonth() + offset, 1);
  const back = (first.getDay() + 6) % 7;
  const days: CalendarDay[] = [];
  for (let i = -back; ; i++) {
    const from = new Date(first.getFullYear(), first.getMonth(), 1 + i);
    if (from.getDay() === 1 && i > 0 && from.getMonth() !== first.getMonth()) return days;
    const to = new Date(first.getFullYear(), first.getMonth(), 2 + i);
    days.push({
      from: from.getTime(),
      to: to.getTime(),
      date: from.getDate(),
      isOfMonth: from.getMonth() === first.getMonth(),
    });
  }
}
