//! The searches of our own: the walk against a plain one written down once more, both strategies against exhaustive
//! search and the known counts.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::Duration;

use model::{Formulation, FormulationKind, Holes, Strategy};
use puzzle::hex::{Axial, EDGES, opposite};
use puzzle::tantrix::shapes::Shape;
use puzzle::tantrix::{BoardType, Colour, Numbering, exhaust, tile};
use puzzle::{Instance, Placement, Solution, verify};
use solve::search::{End, Explored, Settings, explore};
use solve::{Limits, Opened, SessionOptions, SolveError, SolveStatus, Task, backend};

use crate::common::{bounded, instance, regular, tantrix};

const PLAIN: Settings = Settings { seed: 1, restarts: false, time_limit: None };

fn natural(challenge: usize, tiles: &str, extra: &str) -> Instance {
    let text = format!("kind = \"tantrix-natural\"\nchallenge = {challenge}\ntiles = \"{tiles}\"\n{extra}\n");
    Instance::parse(&text, Path::new("t.toml")).expect("a good instance")
}

fn formulation(strategy: Strategy, holes: Holes) -> Formulation {
    Formulation {
        strategy: Some(strategy),
        holes: Some(holes),
        ..Formulation::plain("search", FormulationKind::Search)
    }
}

fn first(instance: &Instance, strategy: Strategy, holes: Holes, settings: Settings) -> (Explored, Option<Solution>) {
    let mut solution = None;
    let mut found = |s: &Solution| {
        solution = Some(s.clone());
        false
    };
    let explored = explore(instance, &formulation(strategy, holes), settings, None, &mut found).expect("makes sense");
    (explored, solution)
}

fn all(instance: &Instance, strategy: Strategy, holes: Holes) -> Vec<Solution> {
    let mut solutions = Vec::new();
    let mut found = |s: &Solution| {
        solutions.push(s.clone());
        true
    };
    let explored = explore(instance, &formulation(strategy, holes), PLAIN, None, &mut found).expect("makes sense");
    assert_eq!(explored.end, End::Exhausted);
    solutions
}

fn distinct(solutions: Vec<Solution>) -> BTreeSet<Vec<(usize, usize, usize)>> {
    let key = |s: Solution| s.placements.iter().map(|p| (p.place, p.tile, p.orientation)).collect();
    solutions.into_iter().map(key).collect()
}

/// The walk of the blog as the post's pseudocode has it, on distinct tiles.
struct Plain {
    colour: Colour,
    lying: HashMap<Axial, (usize, usize)>,
    remaining: Vec<usize>,
    tried: u64,
}

impl Plain {
    fn shown(&self, at: Axial, edge: usize) -> Option<Colour> {
        let (number, orientation) = self.lying.get(&at)?;
        Some(tile(*number).expect("known").colour(*orientation, edge))
    }

    fn solve(&mut self, at: Axial, exit: usize) -> bool {
        let next = at.neighbour(exit);
        if self.remaining.is_empty() {
            return self.lying.contains_key(&next);
        }
        if self.lying.contains_key(&next) {
            return false;
        }
        for index in 0..self.remaining.len() {
            let number = self.remaining[index];
            let piece = tile(number).expect("known");
            let ends = piece.line(1, self.colour).expect("a line").edges;
            for (joined, other) in [(ends.0, ends.1), (ends.1, ends.0)] {
                let shows = |orientation: &usize| {
                    (joined + 6 - orientation) % 6 == opposite(exit) - 1 // edge `joined` of orientation 1 comes here
                };
                let orientation = (1..=6).find(shows).expect("one of them");
                self.tried += 1;
                let fits = EDGES.into_iter().all(|edge| {
                    let there = self.shown(next.neighbour(edge), opposite(edge));
                    there.is_none_or(|colour| colour == piece.colour(orientation, edge))
                });
                if !fits {
                    continue;
                }
                self.lying.insert(next, (number, orientation));
                self.remaining.remove(index);
                if self.solve(next, (other + 6 - orientation) % 6 + 1) {
                    return true;
                }
                self.remaining.insert(index, number);
                self.lying.remove(&next);
            }
        }
        false
    }
}

#[test]
fn the_walk_goes_the_way_of_the_post() {
    let mut nodes = Vec::new();
    for n in 3..=8 {
        let instance = natural(n, "distinct", "");
        let (explored, solution) = first(&instance, Strategy::Walk, Holes::Report, PLAIN);
        let home = Axial { q: 0, r: 0 };
        let colour = puzzle::tantrix::default_colour(n);
        let exit = tile(1).and_then(|t| t.line(1, colour)).expect("a line").edges.0;
        let mut plain =
            Plain { colour, lying: HashMap::from([(home, (1, 1))]), remaining: (2..=n).collect(), tried: 1 };
        assert!(plain.solve(home, exit));
        let mut lying: Vec<Placement> = plain
            .lying
            .iter()
            .map(|(at, &(tile, orientation))| Placement { place: at.ring_number(), tile, orientation })
            .collect();
        lying.sort_by_key(|p| p.place);
        assert_eq!(solution.expect("solvable").placements, lying, "n = {n}");
        assert_eq!(explored.nodes, plain.tried, "n = {n}");
        nodes.push(explored.nodes);
    }
    assert_eq!(nodes, PINNED);
}

/// Placements tried until the first loop of 3 to 8 tiles.
const PINNED: [u64; 6] = [6, 18, 64, 64, 206, 765];

#[test]
fn the_walk_confirms_what_the_post_says_of_sixteen_tiles() {
    let instance = natural(16, "distinct", "colour = \"red\"");
    let (explored, solution) = first(&instance, Strategy::Walk, Holes::Report, PLAIN);
    let solution = solution.expect("solvable");
    let verdict = verify(&instance, &solution);
    assert_eq!((verdict.loops.len(), verdict.holes), (1, 1), "one loop, and its internal hole");
    let tile_at = |place| solution.placements.iter().find(|p| p.place == place).expect("a tile").tile;
    let mut line: Vec<usize> = verdict.loops[0].iter().map(|&place| tile_at(place)).collect();
    let one = line.iter().position(|&tile| tile == 1).expect("tile 1");
    line.rotate_left(one);
    if line[1] != 2 {
        line[1..].reverse();
    }
    assert_eq!(line[..7], [1, 2, 3, 4, 5, 6, 7]);
    // Tiles 10 and 4 in each other's place, in some orientation, are a solution too.
    let swapped = (0..36).any(|turns| {
        let mut other = solution.clone();
        for p in &mut other.placements {
            match p.tile {
                4 => (p.tile, p.orientation) = (10, turns % 6 + 1),
                10 => (p.tile, p.orientation) = (4, turns / 6 + 1),
                _ => {}
            }
        }
        let broken = verify(&instance, &other).violations;
        broken.iter().all(|violation| violation.rule == puzzle::Rule::NoHole)
    });
    assert!(swapped);
    assert_eq!(explored.nodes, 3_472_994);
}

#[test]
fn loops_of_the_open_plane_are_as_many_as_known() {
    for strategy in Strategy::ALL {
        let count = |n| distinct(all(&natural(n, "distinct", ""), strategy, Holes::Resolve)).len();
        assert_eq!([3, 4, 5, 6].map(count), [2, 2, 4, 8], "{strategy}");
    }
}

#[test]
fn boards_have_the_solutions_of_exhaustive_search() {
    let mut boards: Vec<Instance> = Vec::new();
    for shape in [Shape::Round, Shape::Spur, Shape::Blob] {
        for n in 3..=8 {
            for colour in ["red", "blue", "yellow"] {
                boards.push(instance(&shape.places(n, 1), "repeated", &format!("colour = \"{colour}\"")));
            }
        }
    }
    for (kind, size, n) in [(BoardType::A, 7, 4), (BoardType::A, 7, 5), (BoardType::B, 12, 3), (BoardType::A, 7, 6)] {
        boards.extend([Colour::Red, Colour::Yellow].map(|colour| bounded(&regular(kind, size), n, colour)));
    }
    let mut solvable = 0;
    for board in &boards {
        let mut known = Vec::new();
        exhaust(&board.name, tantrix(board), &mut |solution| {
            known.push(solution.clone());
            true
        });
        let known = distinct(known);
        solvable += usize::from(!known.is_empty());
        let holes = if board.puzzle.kind() == puzzle::tantrix::FIXED { Holes::Report } else { Holes::Resolve };
        for strategy in Strategy::ALL {
            assert_eq!(distinct(all(board, strategy, holes)), known, "{strategy}: {:?}", board.puzzle);
        }
    }
    assert!(solvable > 10 && solvable + 10 < boards.len(), "{solvable} of {}", boards.len());
}

#[test]
fn equal_seeds_give_equal_searches() {
    let places = BoardType::A.places(19, Numbering::Rings).expect("a board");
    let bounded = bounded(&places, 15, Colour::Red);
    for instance in [bounded, natural(12, "distinct", "colour = \"yellow\"")] {
        for seed in [1, 2, 3] {
            let settings = Settings { seed, restarts: true, time_limit: None };
            let [one, two] = [(); 2].map(|()| first(&instance, Strategy::Propagate, Holes::Resolve, settings));
            assert_eq!(one, two, "seed {seed}");
            assert!(verify(&instance, &one.1.expect("solvable")).violations.is_empty());
        }
    }
}

#[test]
fn no_time_is_no_search() {
    for strategy in Strategy::ALL {
        let settings = Settings { time_limit: Some(Duration::ZERO), ..PLAIN };
        let (explored, solution) = first(&natural(30, "repeated", ""), strategy, Holes::Report, settings);
        assert_eq!((explored.end, explored.nodes, solution), (End::OutOfTime, 0, None), "{strategy}");
    }
}

#[test]
fn who_looks_on_sees_every_tile_come_and_go() {
    for strategy in Strategy::ALL {
        let instance = natural(5, "distinct", "");
        let (mut last, mut steps) = (Vec::new(), 0);
        let mut solution = None;
        let mut watch = |step: solve::search::SearchStep<'_>| {
            steps += 1;
            assert_eq!(step.number, steps);
            last = step.placements.to_vec();
        };
        let mut found = |s: &Solution| {
            solution = Some(s.clone());
            false
        };
        let formulation = formulation(strategy, Holes::Report);
        explore(&instance, &formulation, PLAIN, Some(&mut watch), &mut found).expect("makes sense");
        last.sort_by_key(|p| p.place);
        assert_eq!(last, solution.expect("solvable").placements, "{strategy}: the last step shows the solution");
    }
}

/// The formulation and what the backend says under these options.
fn opened(threads: u32, options: &[(&str, &str)]) -> Result<Opened, SolveError> {
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let session = SessionOptions { seed: 1, threads, options, verbose: false, proof: None };
    backend("search").expect("it is there").open(FormulationKind::Search, &session)
}

#[test]
fn the_backend_refuses_what_it_does_not_have() {
    for options in [&[("restarts", "on")][..], &[("restarts", "off")], &[]] {
        assert!(opened(1, options).is_ok(), "{options:?}");
    }
    for options in [("restarts", "never"), ("Restarts", "on"), ("", "")] {
        assert!(matches!(opened(1, &[options]), Err(SolveError::Option { .. })), "{options:?}");
    }
    assert!(matches!(opened(2, &[]), Err(SolveError::Unsupported { .. })));
    let other = backend("search").expect("it is there").open(FormulationKind::Mip, &SessionOptions::default());
    assert!(matches!(other, Err(SolveError::Kind { .. })));
}

#[test]
fn a_task_of_kind_search_ends_with_its_status() {
    let row = instance(&[(0, 0), (1, 0), (2, 0)].map(Axial::from), "repeated", "");
    let cases = [
        (natural(5, "distinct", ""), None, SolveStatus::Optimal),
        (row, None, SolveStatus::Infeasible),
        (natural(5, "distinct", ""), Some(Duration::ZERO), SolveStatus::Timeout),
    ];
    for (instance, time, status) in &cases {
        for strategy in Strategy::ALL {
            let formulation = formulation(strategy, Holes::Report);
            let task = Task::build(&formulation, instance).expect("makes sense");
            assert!(task.size().is_none(), "there is no model");
            let options = SessionOptions { seed: 1, threads: 1, ..SessionOptions::default() };
            let search = backend("search").expect("it is there");
            let answer = task.solve(search, &options, Limits { time: *time }, &mut |_| {}).expect("an answer");
            assert_eq!(answer.status, *status, "{strategy}");
            assert_eq!(answer.solution.is_some(), *status == SolveStatus::Optimal);
            assert!(answer.last.nodes.is_some() && answer.last.conflicts.is_some());
        }
    }
}

#[test]
fn copies_are_not_tried_one_by_one() {
    // Tiles 11 and 12 are tiles 1 and 2 again: of copies only one is tried at a time.
    let instance = natural(12, "repeated", "");
    for strategy in Strategy::ALL {
        let (explored, solution) = first(&instance, strategy, Holes::Resolve, PLAIN);
        assert_eq!(explored.end, End::Stopped);
        assert!(verify(&instance, &solution.expect("solvable")).violations.is_empty(), "{strategy}");
    }
    let twice = all(&natural(11, "repeated", "colour = \"yellow\""), Strategy::Walk, Holes::Resolve);
    let once: BTreeSet<_> = distinct(twice.clone());
    assert_eq!(once.len(), twice.len(), "no solution comes twice with the same tile 1 in the middle");
}

#[test]
fn more_tiles_than_the_plane_is_held_for_are_refused() {
    for strategy in Strategy::ALL {
        let formulation = formulation(strategy, Holes::Report);
        let check = |n| formulation.check(&natural(n, "repeated", ""));
        assert!(check(500).is_ok());
        assert!(check(501).expect_err("too many").to_string().contains("501 tiles on the open plane"));
    }
}
