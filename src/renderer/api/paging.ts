/** What every list takes: page from 0, size 1 to 500, sort as `field,asc|desc`. */
export interface Paging {
  page?: number | undefined;
  size?: number | undefined;
  sort?: string | undefined;
}
