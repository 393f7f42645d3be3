//! Different ways to count agree.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::job::Job;
use super::{Count, CountError, Counting, Way, count_job};

const COUNTING: Counting = Counting { threads: 2, memory: 1 << 30, example: true };

fn counted(job: &Job, way: &Way) -> Count {
    count_job(job, COUNTING, way, &|_| true).expect("small")
}

/// Some faces of an icosahedron with tiles on them, so that there is a solution, and tiles of IcoSoKu.
fn part_of_icosoku(faces: usize, rng: &mut ChaCha8Rng) -> Job {
    let field = puzzle::soku::named("icosahedron").expect("a field");
    let sorts = puzzle::soku::Sorts::of(&puzzle::soku::ICOSOKU_TILES);
    let mut of_tiles: Vec<usize> =
        sorts.all().iter().enumerate().flat_map(|(sort, tiles)| vec![sort; tiles.tiles.len()]).collect();
    of_tiles.shuffle(rng);
    let mut job = Job {
        faces: field.faces()[..faces].to_vec(),
        capacity: vec![0; field.vertices().len()],
        stock: vec![0; sorts.all().len()],
        shown: sorts.all().iter().map(|sort| sort.shown.clone()).collect(),
    };
    for (face, &sort) in of_tiles[..faces].iter().enumerate() {
        job.stock[sort] += 1;
        let shown = &job.shown[sort];
        let weights = shown[rng.random_range(0..shown.len())];
        job.faces[face].into_iter().zip(weights).for_each(|(vertex, weight)| job.capacity[vertex] += weight);
    }
    job
}

fn shows_a_solution(job: &Job, example: &[[u32; 3]]) {
    let (mut capacity, mut stock) = (vec![0; job.capacity.len()], vec![0; job.stock.len()]);
    for (face, weights) in job.faces.iter().zip(example) {
        stock[job.shown.iter().position(|shown| shown.contains(weights)).expect("a tile")] += 1;
        face.iter().zip(weights).for_each(|(&vertex, weight)| capacity[vertex] += weight);
    }
    assert_eq!((&capacity, &stock), (&job.capacity, &job.stock));
}

#[test]
fn it_does_not_matter_where_the_field_is_divided() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for faces in [1, 2, 4, 7, 9, 9, 10] {
        let job = part_of_icosoku(faces, &mut rng);
        let line = counted(&job, &Way::Line);
        assert!(line.solutions > 0, "there is one");
        shows_a_solution(&job, line.example.as_deref().expect("an example"));
        for cut in [0, 1, faces / 2, faces] {
            let mut side: Vec<usize> = (0..faces).collect();
            side.shuffle(&mut rng);
            let sides = counted(&job, &Way::Sides(side[..cut].to_vec()));
            assert_eq!(sides.solutions, line.solutions, "{faces} faces, {:?} on one side", &side[..cut]);
            shows_a_solution(&job, sides.example.as_deref().expect("an example"));
        }
        let lists = counted(&job, &Way::Lists);
        assert_eq!(lists.solutions, line.solutions, "{faces} faces by lists");
        shows_a_solution(&job, lists.example.as_deref().expect("an example"));
        let first = counted(&job, &Way::First);
        assert!(!first.complete);
        shows_a_solution(&job, first.example.as_deref().expect("an example"));
        assert_eq!(counted(&job, &Way::Best).solutions, line.solutions);
    }
}

#[test]
fn what_is_counted_does_not_depend_on_memory() {
    for seed in 0..4 {
        let job = part_of_icosoku(10, &mut ChaCha8Rng::seed_from_u64(seed));
        for way in [Way::Best, Way::Lists] {
            let all = counted(&job, &way);
            let mut counts = 0;
            for memory in (8..26).flat_map(|bits| [4, 5, 6, 7].map(|times| times << bits)) {
                match count_job(&job, Counting { memory, ..COUNTING }, &way, &|_| true) {
                    Ok(count) => {
                        assert_eq!(count.solutions, all.solutions, "{way:?} with {memory} bytes");
                        shows_a_solution(&job, count.example.as_deref().expect("an example"));
                        // More states than without a bound: there were cases.
                        counts += usize::from(count.states > all.states);
                    }
                    Err(error) => assert!(matches!(error, CountError::Memory(_)), "{error}"),
                }
            }
            assert!(counts > 0, "{way:?}: some memory is enough in cases only");
        }
    }
}

#[test]
fn all_cases_are_counted_where_there_is_no_solution() {
    let mut job = part_of_icosoku(9, &mut ChaCha8Rng::seed_from_u64(5));
    // From vertex to vertex, until there is no solution; the totals agree all the time.
    let [to, from, _] = job.faces[0];
    while counted(&job, &Way::Line).solutions > 0 {
        job.capacity[to] += 1;
        job.capacity[from] = job.capacity[from].checked_sub(1).expect("no solution before");
    }
    for memory in [1 << 17, 1 << 30] {
        let first = count_job(&job, Counting { memory, ..COUNTING }, &Way::First, &|_| true).expect("small");
        assert!(first.complete && first.solutions == 0 && first.example.is_none());
    }
}

#[test]
fn what_takes_too_much_is_no_count() {
    let job = part_of_icosoku(10, &mut ChaCha8Rng::seed_from_u64(3));
    for way in [Way::Best, Way::Line, Way::Lists] {
        let counting = Counting { memory: 500, ..COUNTING };
        let error = count_job(&job, counting, &way, &|_| true).expect_err("too large");
        assert!(matches!(error, CountError::Memory(_)), "{error}");
        let stopped = count_job(&job, COUNTING, &way, &|_| false).expect("no error");
        assert!(!stopped.complete && stopped.example.is_none());
    }
}

/// How to divide 720 faces would take minutes to find out.
#[test]
fn many_faces_are_not_listed() {
    let field = puzzle::soku::named("geodesic-6").expect("a field");
    let faces = field.faces().to_vec();
    let mut job =
        Job { capacity: vec![0; field.vertices().len()], stock: vec![faces.len()], shown: vec![vec![[1; 3]]], faces };
    job.faces.iter().flatten().for_each(|&vertex| job.capacity[vertex] += 1);
    for way in [Way::Lists, Way::First] {
        let error = count_job(&job, COUNTING, &way, &|_| true).expect_err("too large");
        assert!(matches!(error, CountError::TooLarge(_)), "{error}");
    }
}

#[test]
fn sums_without_numbers_are_counted_too() {
    // 3^9 sums and more at each of two vertices: the states go into a map.
    let sizes: Vec<u32> = (0..10).map(|power| 3_u32.pow(power) * 7).collect();
    let n = sizes.len();
    // A bipyramid: 0 above, 1 below, the others around them.
    let around = |index: usize| 2 + index % n;
    let faces = (0..n).flat_map(|i| [[0, around(i), around(i + 1)], [1, around(i + 1), around(i)]]).collect();
    let mut capacity = vec![0; n + 2];
    // One subset alone has this sum.
    capacity[0] = sizes[1] + sizes[4] + sizes[9];
    capacity[1] = sizes.iter().sum::<u32>() - capacity[0];
    let mut shown: Vec<Vec<[u32; 3]>> = sizes.iter().map(|&s| vec![[s, 0, 0], [0, s, 0], [0, 0, s]]).collect();
    shown.push(vec![[0, 0, 0]]);
    let mut stock = vec![1; n];
    stock.push(n);
    let job = Job { faces, capacity, stock, shown };
    let count = counted(&job, &Way::Best);
    // 3 tiles on some of 10 faces above, 7 on some of 10 below.
    assert_eq!(count.solutions, (10 * 9 * 8) * (10 * 9 * 8 * 7 * 6 * 5 * 4));
    shows_a_solution(&job, &count.example.expect("an example"));
    // There is no table of so many sums that lists could use instead.
    let error = count_job(&job, Counting { memory: 500, ..COUNTING }, &Way::Best, &|_| true).expect_err("too little");
    assert!(matches!(error, CountError::Memory(_)), "{error}");
}
